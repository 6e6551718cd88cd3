# The deck in Squib, written from its documentation: `ruby by_squib.rb` writes _output/fronts.pdf and backs.pdf.
require 'squib'

COLOURS = { 'Night' => '#2d3a63', 'Harbour' => '#1f6f8b', 'Market' => '#a3532b', 'Garden' => '#3f7d46' }
data = Squib.csv file: 'deck.csv'
rules = data['Text'].map { |text| text.gsub(/\*\*(.+?)\*\*/, '<b>\1</b>') }

# Cards are drawn with a bleed of 3 mm, so everything is moved by 3 mm.
Squib::Deck.new(cards: data['Name'].size, width: '69.5mm', height: '94.9mm') do
  background color: :white
  rect x: 0, y: 0, width: '69.5mm', height: '15mm', stroke_width: 0, fill_color: data['Type'].map { |t| COLOURS[t] }
  circle x: '58.5mm', y: '9mm', radius: '4mm', stroke_width: 0, fill_color: :white
  text str: data['Name'], x: '7mm', y: '6mm', width: '47mm', height: '6mm', font: 'Lato Black 13', color: :white,
       valign: :middle
  text str: data['Cost'], x: '54.5mm', y: '5mm', width: '8mm', height: '8mm', font: 'Lato Black 14',
       align: :center, valign: :middle
  png file: data['Picture'].map { |name| "art/#{name}" }, x: '7mm', y: '18mm', width: '55.5mm', height: '37mm',
      crop_corner_radius: '2mm'
  text str: data['Type'], x: '7mm', y: '57mm', font: 'Lato Italic 8.5'
  text str: rules, x: '7mm', y: '62mm', width: '55.5mm', height: '26mm', font: 'Lato 10', markup: true
  save_pdf file: 'fronts.pdf', width: '210mm', height: '297mm', margin: '9mm', trim: '3mm', crop_marks: true
end

Squib::Deck.new(cards: data['Name'].size, width: '69.5mm', height: '94.9mm') do
  background color: COLOURS['Night']
  text str: 'Night Market', width: :deck, height: :deck, align: :center, valign: :middle, font: 'Lato Black 13',
       color: :white
  save_pdf file: 'backs.pdf', width: '210mm', height: '297mm', margin: '9mm', trim: '3mm', crop_marks: true, rtl: true
end
