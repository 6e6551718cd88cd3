"""Nobody without the token reaches a page, from this machine or another."""

import pytest
from starlette.testclient import TestClient

from generator.studio.app import application
from generator.studio.projects import Projects
from generator.studio.security import MAX_BODY, Access

HOST = "127.0.0.1:8000"
ORIGIN = f"http://{HOST}"


@pytest.fixture
def access():
    return Access(frozenset({HOST}), 8000)


@pytest.fixture
def client(access):
    with TestClient(application(access, Projects()), base_url=ORIGIN) as client:
        yield client


def test_without_the_token_there_is_nothing(client):
    assert client.get("/").status_code == 403
    assert client.get("/?token=wrong").status_code == 403
    assert client.get("/static/studio.css").status_code == 403


def test_the_token_becomes_a_cookie_and_leaves_the_address(client, access):
    answer = client.get(f"/?token={access.token}", follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert client.get("/").status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:8000", "127.0.0.1:8001", ""])
def test_other_names_are_refused(client, access, host):
    assert client.get(f"/?token={access.token}", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://127.0.0.1:9000", f"https://{HOST}"])
def test_only_our_pages_change_anything(client, access, origin):
    client.get(f"/?token={access.token}")
    headers = {} if origin is None else {"origin": origin}
    assert client.post("/open", json={"path": "upwards"}, headers=headers).status_code == 403
    assert client.post("/open", json={"path": "upwards"}, headers={"origin": ORIGIN}).status_code == 200


def test_an_upload_has_a_limit(client, access):
    client.get(f"/?token={access.token}")
    headers = {"origin": ORIGIN, "content-length": str(MAX_BODY + 1)}
    assert client.post("/open", content=b"x", headers=headers).status_code == 413


def test_every_answer_has_the_policy(client, access):
    for address in ("/", f"/?token={access.token}", "/nothing"):
        policy = client.get(address, follow_redirects=False).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"path": 3}', b'{"path": "\\ud800"}', b"\xff"])
def test_a_wrong_body_is_refused(client, access, body):
    client.get(f"/?token={access.token}")
    assert client.post("/open", content=body, headers={"origin": ORIGIN}).status_code in (400, 422)


@pytest.mark.parametrize("path", ["/etc/passwd", "../../etc", "nothing", "/", "a\x00b", "x" * 9999])
def test_only_games_are_opened(client, access, path):
    client.get(f"/?token={access.token}")
    answer = client.post("/open", json={"path": path}, headers={"origin": ORIGIN})
    assert answer.status_code == 422
    assert answer.json()["problems"]


@pytest.mark.parametrize(
    "path", ["/g/nothing/design", "/g/nothing/state", "/static/../app.py", "/static/%2e%2e/app.py"]
)
def test_unknown_pages_are_not_found(client, access, path):
    client.get(f"/?token={access.token}")
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/g/upwards/score", 200),
        ("/static/studio.css", 200),
        ("/g/upwards/cover.png", 200),
        ("/", 403),
        ("/g/upwards/design", 403),
        ("/g/upwards/state", 403),
        ("/g/upwards/draw", 403),
        ("/g/upwards/score/../design", 403),
        ("/league", 403),
    ],
)
def test_a_phone_only_scores(access, path, status):
    app = application(access, Projects())
    with TestClient(app, base_url=ORIGIN, client=("192.168.1.20", 40000)) as phone:
        assert phone.get(f"/g/upwards/score?token={access.token}").status_code == 200
        assert phone.get(path).status_code == status
        assert phone.post("/open", json={"path": "upwards"}, headers={"origin": ORIGIN}).status_code == 403


@pytest.mark.parametrize("cookie", ["", "=", "pencilbox-8000", "pencilbox-8000=;", 'pencilbox-8000="x', "a=b; ;;=\x01"])
def test_broken_cookies_are_refused(access, cookie):
    with TestClient(application(access, Projects()), base_url=ORIGIN) as client:
        assert client.get("/", headers={"cookie": cookie}).status_code == 403


@pytest.mark.parametrize("name", ["%00", "x" * 3000, "..", "%2e%2e%2f%2e%2e", "a%00b"])
def test_odd_names_are_answered(client, access, name):
    client.get(f"/?token={access.token}")
    for path in (f"/downloads/{name}/x", f"/downloads/x/{name}"):
        assert client.get(path).status_code == 404
    answer = client.post(f"/g/upwards/score/open?name={name}.yaml", content=b"{", headers={"origin": ORIGIN})
    assert answer.status_code == 422
