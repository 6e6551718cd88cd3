"""Simple HTML becomes marks of texts; what cannot is named."""

import pytest

from generator.tables.cell_texts import HtmlMarks


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("Deal <b>3 damage</b>.", "Deal **3 damage**."),
        ("<STRONG>Fast</STRONG> and <em>quiet </em>now", "**Fast** and *quiet* now"),
        ("<b><i>Both</i></b>", "***Both***"),
        ("one<br>two<br/>three<BR />four", "one\ntwo\nthree\nfour"),
        ("one\\ntwo", "one\ntwo"),
        ("one \\13\\two\\13\\ three", "one\ntwo\nthree"),
        ('I can\\\'t \\"see\\"', 'I can\'t "see"'),
        ("<p>First.</p><p>Second.</p>", "First.\nSecond."),
        ("m<sup>2</sup> H<sub>2</sub>O Ca^{2+} x_{10} {2}", "m² H₂O Ca²⁺ x₁₀ {2}"),
        ("<u>Once</u> per <s>game</s> turn", "[Once]{underline} per [game]{strike} turn"),
        ("Salt &amp; pepper &lt;b&gt; &#8364;", "Salt & pepper <b> €"),
        ('<span class="x">Hi</span> <a href="y">there</a>', "Hi there"),
        ("<ul><li>one</li><li>two</li></ul>", "• one\n• two"),
        ("<Name> draws 2 < 3 & R&D", "<Name> draws 2 < 3 & R&D"),
        ("Pay `1 coin` [at the inn](https://inn.example/menu).", "Pay 1 coin at the inn."),
        ('[Les Mis](https://w.example/Les_Mis_(musical)) [Up](https://u.example "Up (film)")', "Les Mis Up"),
        ("to eat [sound:taberu.mp3]", "to eat"),
        ("The absence of pain.[1] Gain [2].", "The absence of pain. Gain [2]."),
        ("{T}: Add {G}{2/G}, gain {coin}{red_gem}.", "T: Add G2/G, gain coin red_gem."),
        ("A = {1} or {1, 2}, {{c1::Rome}}, [Rome]{red}", "A = {1} or {1, 2}, {{c1::Rome}}, [Rome]{red}"),
        ("art\\night.png", "art\\night.png"),
        ("**bold** :coin: [x]{red}", "**bold** :coin: [x]{red}"),
    ],
)
def test_html(text, marked):
    assert HtmlMarks().marked(text) == marked


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("What is $x^2$ for $x = 3$?", "What is x² for x = 3?"),
        (r"$\frac{1}{2} + \frac{x^2}{4}$ or $9$", "½ + x²/4 or 9"),
        (r"$\frac{a}{b+1}$, $\sqrt{2}$, \(\sqrt{x + 1}\)", "a/(b+1), √2, √(x + 1)"),
        (r"$$\Delta x \leq 3 \times 10^{-8}$$", "Δx ≤ 3 × 10⁻⁸"),
        (r"$\text{Area} = \pi r^2$, $H_2O$", "Area = πr², H₂O"),
        (r"\[ \sin\alpha = \left(x_{10}\right) \] at $90^\circ$", "sin α = (x₁₀) at 90°"),
        ("It costs $5 and not $6, $5-$6 or $5 = $6, not 5$.", "It costs $5 and not $6, $5-$6 or $5 = $6, not 5$."),
    ],
)
def test_simple_formulas(text, marked):
    assert HtmlMarks().marked(text) == marked


def test_other_formulas_are_named():
    marks = HtmlMarks()
    for text in (r"$e^{i\pi}$ and $\vec{v}$", r"$\mathbb{R}$"):
        assert marks.marked(text) == text
    assert marks.notes() == [
        r"formulas in 2 texts are too complex, so they are printed as typed: $e^{i\pi}$, $\vec{v}$, $\mathbb{R}$"
    ]


def test_what_cannot_be_printed_as_meant_is_named():
    marks = HtmlMarks()
    marks.marked("<span>{T}: Add {G}{G}.</span> <p>{2/W} [x]{RED}</p>")
    assert marks.notes() == [
        "HTML was left out of the texts: <span>",
        "printed as plain text, not as icons: {T}, {G}, {2/W}; to print an icon, add icons/t.svg and write :t:",
    ]
    assert not HtmlMarks().notes()
