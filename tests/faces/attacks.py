"""Hostile templates and the message for each. `face` completes them."""

from __future__ import annotations

LONG = "{% set s = 'x' * 199000 %}"
STEPS = "takes more than 400,000 steps"
TEXT = "makes a text of"
LIST = "makes a list of more than 10,000 values"
DEEP = "call each other endlessly"
CALL = "cannot be called in templates"
UNSAFE = "is unsafe"
NESTED = "cannot be compiled (nested too deeply)"

ENDLESS = {
    "{% for a in range(999) %}{% for b in range(999) %}{% for c in range(999) %}"
    "{% endfor %}{% endfor %}{% endfor %}": STEPS,
    "{% macro m(n) %}{% if n %}{{ m(n-1) }}{{ m(n-1) }}{% endif %}{% endmacro %}{{ m(60) }}": STEPS,
    "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}": DEEP,
    "{% block a %}{{ self.a() }}{% endblock %}": DEEP,
    "{% include 'card.xml.j2' %}": DEEP,
    "{% include 'card.xml.j2' ignore missing %}{% include ['card.xml.j2'] %}": DEEP,
    "{% extends 'card.xml.j2' %}": DEEP,
    "{% import 'card.xml.j2' as c %}": DEEP,
    "{% set n = n|default(40) - 1 %}{% if n %}{% include 'card.xml.j2' %}{% include 'card.xml.j2' %}{% endif %}": STEPS,
    "{% for x in [1, 2] recursive %}{{ loop([1, 2]) }}{% endfor %}": "a recursive loop is not allowed in templates",
    "{% for i in range(9999) %}{{ range(9999) | sort | length }}{% endfor %}": STEPS,
    "{% for x in range(9999) %}{% if loop.changed(range(9999) | list) %}{% endif %}{% endfor %}": STEPS,
    LONG
    + "{% set t = s ~ '' %}{% for i in range(9999) %}"
    + "{% if 'y' in s %}{% endif %}" * 400
    + "{% endfor %}": STEPS,
    "{% set l = range(9000) | list %}{% set m = range(9000) | list %}{% for i in range(9999) %}"
    + "{% if l == m %}{% endif %}" * 400
    + "{% endfor %}": "takes more than 1 s",
}

GROWING = {
    "{% for a in range(9999) %}{% for b in range(9999) %}<line/>{% endfor %}{% endfor %}": STEPS,
    "{{ 'x' * 10**9 }}": TEXT,
    "{{ 10**9 * 'x' }}": TEXT,
    "{{ ('x' | escape) * 10**9 }}": TEXT,
    "{{ [[0] * 5000] * 5000 }}": LIST,
    "{{ (1, 2) * 10**9 }}": LIST,
    "{{ [0] * 10**9 }}": LIST,
    LONG + "{{ s + s }}": TEXT,
    LONG + "{{ s ~ s }}": TEXT,
    LONG + "{{ " + "s ~ " * 2000 + "s }}": TEXT,
    "{% macro m(x) %}{{ m(x ~ x) }}{% endmacro %}{{ m('x') }}": TEXT,
    "{% macro m(x) %}{{ m(x + x) }}{% endmacro %}{{ m([1]) }}": LIST,
    "{% macro m(n) %}{% if n %}{{ m(n-1) }}{{ m(n-1) }}{% else %}"
    + "x" * 5000
    + "{% endif %}{% endmacro %}{{ m(60) }}": TEXT,
    "{% macro m() %}"
    + "x" * 30000
    + "{% endmacro %}{% set t %}{% for i in range(9999) %}{{ m() }}{% endfor %}{% endset %}": STEPS,
    "{% set t %}{% for i in range(9999) %}" + "x" * 30000 + "{% endfor %}{% endset %}": STEPS,
    "{% set s = '&' * 190000 %}{% set t %}{{ s }}{% endset %}": TEXT,
    "{% set s = '\U0001f600' * 199000 %}" + "".join(f"{{% set a{i} = s ~ 1 %}}" for i in range(480)): STEPS,
    "{% set s = '\U0001f600' * 199000 %}" + "".join(f"{{% set a{i} = s[1:] %}}" for i in range(480)): STEPS,
    "{% set s = '\U0001f600' * 199000 %}" + "".join(f"{{% set a{i} = s | upper %}}" for i in range(480)): STEPS,
    # lists within lists, twice as much each time
    "{% set a = [1] %}" + "{% set a = [a, a] %}" * 40: LIST,
    "{% set a = (1,) %}" + "{% set a = (a, a) %}" * 40: LIST,
    "{% set a = {} %}" + "{% set a = {1: a, 2: a} %}" * 40: LIST,
    "{% set a = [1] %}" + "{% set a = a + a %}" * 40: LIST,
    "{% macro m() %}{{ varargs }}{% endmacro %}": "“varargs” is not allowed in templates",
    # numbers
    "{{ 10**10**10 }}": "256 bits",
    "{{ (-3)**(10**8) }}": "256 bits",
    "{{ ('f' * 150000) | int(base=16) }}": "256 bits",
    "{% macro m(n, x) %}{% if n %}{{ m(n-1, x*x) }}{% endif %}{% endmacro %}{{ m(60, 3) }}": "256 bits",
    "{{ 0x" + "f" * 30000 + " }}": "cannot be compiled",
    "{{ 1.5 | round(1000000000) }}": "from 0 to 9",
    "{% for a in range(10**9) %}{% endfor %}": "counts beyond 10,000",
    "{{ range(0, -(10**12), -7) }}": "counts beyond",
    # formats
    "{{ '%1000000000d' % 1 }}": "width of more than 99",
    "{{ '%.1000000000f' % 1.5 }}": "width of more than 99",
    "{{ '%*d' % (10**9, 1) }}": "width of more than 99",
    "{{ '%(a)1000000000d' % {'a': 1} }}": "width of more than 99",
    "{{ ('%1000000000d' | escape) % 1 }}": "width of more than 99",
    "{{ '%1000000000d' | format(1) }}": "more than 99",
    "{{ ['%1000000000d'] | map('format', 1) | join }}": "more than 99",
    "{% set t = '%(a)s' * 150 %}{{ t % {'a': 'x' * 9000} }}": TEXT,
    "{{ '{:1000000000}'.format(1) }}": CALL,
    "{{ '{a:1000000000}'.format_map({'a': 1}) }}": CALL,
    "{{ ('{:999999999}' | escape).format(1) }}": CALL,
    # filters and methods
    LONG + "{{ s | replace('x', s) }}": TEXT,
    LONG + "{{ s | replace('', s) }}": TEXT,
    LONG + "{{ s.replace('x', s) }}": CALL,
    LONG + "{{ range(9000) | join(s) }}": TEXT,
    LONG + "{{ s | join(s) }}": LIST,
    LONG + "{{ s.join(s) }}": CALL,
    LONG + "{{ s | list | length }}": LIST,
    LONG + "{{ s.split('x') }}": LIST,
    "{{ [1] | batch(1000000000, 0) | list }}": "from 1 to 1,000",
    "{{ [1] | slice(1000000000) | list }}": "from 1 to 1,000",
    "{{ 'x' | center(1000000000) }}": "No filter named 'center'",
    "{{ ['x'] | map('center', 9) | join }}": "No filter named",
    "{{ 'x' | indent(1000000000) }}": "No filter named",
    "{{ [1] | tojson(1000000000) }}": "No filter named",
    "{{ 'x'.center(1000000000) }}": CALL,
    "{{ 'x'.ljust(1000000000) }}": CALL,
    "{{ 'x'.zfill(1000000000) }}": CALL,
    "{{ '\t'.expandtabs(1000000000) }}": CALL,
    "{{ (1).to_bytes(1000000000, 'big') }}": CALL,
    "{{ [[1], [2]] | sum(start=[]) }}": "“sum” gets the wrong arguments",
    "{{ [[1]] | sum }}": "only adds numbers",
    "{{ ('**a' * 60000) | rich }}": TEXT,
    # what is met before anything is rendered
    "{{ " + "(" * 9000 + "1" + ")" * 9000 + " }}": NESTED,
    "{{ " + "not " * 9000 + "1 }}": NESTED,
    "{{ 1" + " if 1 else 1" * 2000 + " }}": NESTED,
    "{% if 1 %}" * 1000 + "{% endif %}" * 1000: NESTED,
    "{{ a()" + "()" * 9000 + " }}": NESTED,
    "{{ a.b }}" * 4000: "becomes more than 250,000 characters of code",
    "{% if 1 %}" + "{% elif 1 %}" * 2000 + "{% endif %}": "has more than 500 statements",
    "".join(f"{{{{ a{i} }}}}" for i in range(2500)): "has more than 500 different names",
    "{% set " + ",".join(f"a{i}" for i in range(490)) + " = a %}" + "{% include a %}" * 490: "characters of code",
    "{# " + "x" * 70000 + " #}": "larger than 0.04 MB",
}

REACHING = {
    # what the sandbox itself calls
    "{{ _counted(-10**15) }}": "“_counted” is not known",
    "{{ 1 | _counted(-10**15) }}": "No filter named '_counted'",
    "{{ 1 | counted(-10**15) }}": "No filter named 'counted'",
    "{{ [1] | map('_counted', -10**15) | list }}": "No filter named '_counted'",
    "{{ [1] | map('counted', -10**15) | list }}": "No filter named 'counted'",
    "{{ [1] | map('guarded counted', -10**15) | list }}": "No filter named 'guarded counted'",
    "{% filter counted(-10**15) %}{% endfilter %}": "No filter named 'counted'",
    "{{ guarded.budget.start() }}": "“guarded” is not known",
    "{{ written('x') }}": "“written” is not known",
    "{{ budget }}": "“budget” is not known",
    "{{ ''.__class__.__mro__ }}": UNSAFE,
    "{{ ''['__class__'] }}": UNSAFE,
    "{{ '' | attr('__class__') }}": "No filter named",
    "{{ [''] | map(attribute='__class__') | join }}": UNSAFE,
    "{{ [''] | sort(attribute='__class__.__mro__') }}": UNSAFE,
    "{{ self.__init__.__globals__ }}": UNSAFE,
    "{{ self._TemplateReference__context }}": UNSAFE,
    "{{ range.__self__ }}": UNSAFE,
    "{{ range.__func__.__globals__ }}": UNSAFE,
    "{{ range }}": "cannot be written as text",
    "{% macro m() %}{% endmacro %}{{ m._environment }}": UNSAFE,
    "{% macro m() %}{% endmacro %}{{ m }}": "cannot be written",
    "{% for x in [1] %}{{ loop.__init__ }}{% endfor %}": UNSAFE,
    "{{ ('a' | escape).__html__() }}": UNSAFE,
    "{{ '{0.__class__}'.format(1) }}": CALL,
    "{{ folder.unlink() }}": CALL,
    "{{ folder.read_text() }}": CALL,
    "{{ (folder / 'x').open() }}": CALL,
    "{{ helper() }}": CALL,
    "{{ kind('x') }}": CALL,
    "{{ lipsum(1000) }}": "“lipsum” is not known",
    "{{ cycler(1) }}": "“cycler” is not known",
    "{{ namespace() }}": "“namespace” is not known",
    "{{ dict(a=1) }}": "“dict” is not known",
    "{{ environment }}": "“environment” is not known",
    "{{ [1] | random }}": "No filter named",
    "{% debug %}": "unknown tag 'debug'",
    "{% autoescape false %}{% endautoescape %}": "autoescape is not allowed in templates",
    "{% include '../secret' %}": "is outside the template folders",
    "{% include '/etc/passwd' %}": "is outside",
    "{% extends '../secret' %}": "is outside",
    "{% import '_shared/../../secret' as s %}": "is outside",
    "{% include 'a\\0b' %}": "cannot be a template name",
    "{% include 'a' * 5000 %}": "cannot be a template name",
}


def face(attack: str) -> str:
    """The whole template, with the attack on line 2."""
    return f"<face>\n{attack}\n</face>"
