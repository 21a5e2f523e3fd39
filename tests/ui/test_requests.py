"""Bad requests get the right status and leave the page as it was."""

import io
import os
import signal
import socket
import struct
import threading
import time
import urllib.request
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image

from page_server import ID, png, running_page
from seewhy.ui.settings import Limits

EXPLAIN = {"kind": "explain", "model": ID, "methods": [{"name": "center"}]}
ASK = {"model": ID, "kind": "delete", "patches": [1]}
JSON = {"Content-Type": "application/json"}
PNG = {"Content-Type": "image/png"}


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png_of(width, height):
    """A PNG that claims a size."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(b"\0" * 1000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
GOOD = png(Image.new("RGB", (40, 30), "red"))

# (name, status, path, body, headers, method)
BAD = [
    ("foreign host", 421, "", None, {"Host": "evil.example"}, None),
    ("rebound host with port", 421, "models", None, {"Host": "evil.example:80"}, None),
    ("user in host", 421, "", None, {"Host": "x@127.0.0.1"}, None),
    ("foreign origin", 403, "jobs", EXPLAIN, {"Origin": "http://evil.example"}, None),
    ("opaque origin", 403, "jobs", EXPLAIN, {"Origin": "null"}, None),
    ("cross-site fetch", 403, "jobs", EXPLAIN, {"Sec-Fetch-Site": "cross-site"}, None),
    ("delete from elsewhere", 403, "jobs/x", None, {"Origin": "http://evil.example"}, "DELETE"),
    ("unknown path", 404, "nothing", None, None, None),
    ("traversal in an image", 404, "images/..%2f..%2fetc%2fpasswd", None, None, None),
    ("traversal in static", 404, "../../static/..%2fapp.py", None, None, None),
    ("traversal in a report", 404, "../../reports/open/0/..%2f..%2fsecret", None, None, None),
    ("link out of a report", 404, "../../reports/open/0/link.html", None, None, None),
    ("unknown report", 404, "../../reports/open/1/report.html", None, None, None),
    ("absolute path as image", 404, "images/%2fetc%2fpasswd/thumbnail", None, None, None),
    ("unknown image", 404, "images/ffff", None, None, None),
    ("unknown image explained", 404, "jobs", EXPLAIN | {"image": "/etc/passwd"}, None, None),
    ("unknown job", 404, "jobs/ffff", None, None, None),
    ("unknown result", 404, "results/ffff/bundle", None, None, None),
    ("unknown model", 404, "images/IMAGE/prediction?model=timm/resnet50", None, None, None),
    ("model as a path", 404, "jobs", EXPLAIN | {"model": "evil.py:load", "image": "IMAGE"}, None, None),
    ("unknown method's form", 404, f"methods/nothing?model={ID}", None, None, None),
    ("wrong HTTP method", 405, "jobs", None, None, "PUT"),
    ("post where only get is", 405, "models", {}, None, None),
    ("empty image", 400, "images", b"", PNG, "POST"),
    ("truncated image", 400, "images", GOOD[:60], PNG, None),
    ("truncated in its data", 400, "images", png(Image.effect_noise((90, 90), 80))[:-400], PNG, None),
    ("text as image", 415, "images", b"hello", PNG, None),
    ("svg by type", 415, "images", SVG, {"Content-Type": "image/svg+xml"}, None),
    ("svg as png", 415, "images", SVG, PNG, None),
    ("pdf", 415, "images", b"%PDF-1.4 hello", {"Content-Type": "application/octet-stream"}, None),
    ("eps", 415, "images", b"%!PS-Adobe-3.0 EPSF-3.0\n", {"Content-Type": "image/png"}, None),
    ("html as image", 415, "images", b"<html>", {"Content-Type": "text/html"}, None),
    ("form upload", 415, "images", GOOD, {"Content-Type": "multipart/form-data; boundary=x"}, None),
    ("oversized image", 413, "images", b"\x89PNG" + b"\0" * 20_000_001, PNG, None),
    ("bomb", 413, "images", png_of(60_000, 60_000), PNG, None),
    ("more than 40 megapixels", 413, "images", png_of(8000, 5001), PNG, None),
    ("oversized JSON", 413, "ask", b'{"a": "' + b"x" * 1_000_001 + b'"}', JSON, None),
    ("no JSON", 400, "jobs", b"{", JSON, None),
    ("JSON list", 400, "jobs", b"[]", JSON, None),
    ("NaN", 400, "ask", b'{"top": NaN}', JSON, None),
    ("deep JSON", 400, "jobs", b"[" * 100_000, JSON, None),
    ("no content type", 415, "jobs", b"{}", {"Content-Type": "text/plain"}, None),
    ("unknown kind of job", 422, "jobs", {"kind": "delete everything"}, None, None),
    ("unknown field", 422, "jobs", EXPLAIN | {"image": "IMAGE", "path": "/etc"}, None, None),
    ("no methods", 422, "jobs", EXPLAIN | {"image": "IMAGE", "methods": []}, None, None),
    ("too many methods", 422, "jobs", EXPLAIN | {"image": "IMAGE", "methods": [{"name": "center"}] * 13}, None, None),
    ("unknown method", 422, "jobs", EXPLAIN | {"image": "IMAGE", "methods": [{"name": "os.system"}]}, None, None),
    ("method of the wrong type", 422, "jobs", EXPLAIN | {"image": "IMAGE", "methods": ["center"]}, None, None),
    ("option that names a file", 422, "jobs",
     EXPLAIN | {"image": "IMAGE", "methods": [{"name": "caap", "options": {"reference": "/etc/x.png"}}]}, None, None),
    ("explainer of the client", 422, "jobs",
     EXPLAIN | {"image": "IMAGE", "methods": [{"name": "aha", "options": {"explainer": "/tmp/x"}}]}, None, None),
    ("option out of range", 422, "jobs",
     EXPLAIN | {"image": "IMAGE", "methods": [{"name": "rise", "options": {"samples": -1}}]}, None, None),
    ("too many targets", 422, "jobs", EXPLAIN | {"image": "IMAGE", "targets": list(range(9))}, None, None),
    ("target out of range", 422, "jobs", EXPLAIN | {"image": "IMAGE", "targets": [12]}, None, None),
    ("equal targets", 422, "jobs", EXPLAIN | {"image": "IMAGE", "targets": [1, 1]}, None, None),
    ("unknown class name", 422, "jobs", EXPLAIN | {"image": "IMAGE", "targets": ["<script>"]}, None, None),
    ("unknown protocol", 422, "jobs", EXPLAIN | {"image": "IMAGE", "protocol": "mine"}, None, None),
    ("image of the wrong type", 422, "ask", ASK | {"image": 7}, None, None),
    ("patch outside the grid", 422, "ask", ASK | {"image": "IMAGE", "patches": [64]}, None, None),
    ("patches as text", 422, "ask", ASK | {"image": "IMAGE", "patches": "1,2"}, None, None),
    ("patches as truth values", 422, "ask", ASK | {"image": "IMAGE", "patches": [True]}, None, None),
    ("unknown reference", 422, "ask", ASK | {"image": "IMAGE", "reference": "secret.png"}, None, None),
    ("blocks without patching", 422, "ask", ASK | {"image": "IMAGE", "blocks": [1, 2]}, None, None),
    ("blocks out of range", 422, "ask", ASK | {"image": "IMAGE", "kind": "patch", "blocks": [1, 99]}, None, None),
    ("too many classes", 422, "ask", ASK | {"image": "IMAGE", "top": 1000}, None, None),
    ("count out of range", 422, "measure",
     {"result": "RESULT", "direction": "deletion", "reference": "blur", "count": 10**9}, None, None),
    ("entry out of range", 422, "suggest", {"result": "RESULT", "entry": 7, "patches": []}, None, None),
    ("class that is not explained", 422, "suggest", {"result": "RESULT", "target": 11, "patches": []}, None, None),
    ("maps of no method", 422, "results/RESULT/maps?entry=9", None, None, None),
    ("sort by nothing", 422, "dataset/images?sort=owner", None, None, None),
    ("limit too large", 422, "dataset/images?limit=100000", None, None, None),
    ("confidence as text", 422, "dataset/images?min_confidence=high", None, None, None),
    ("scores of no method", 422, "dataset/images?method=caap", None, None, None),
    ("job on a foreign image", 404, "jobs",
     {"kind": "dataset", "model": ID, "method": {"name": "center"}, "images": ["x"]}, None, None),
    ("stop what cannot be", 404, "jobs/ffff/stop", {}, None, None),
    ("KServe without instances", 422, f"../../v1/models/{ID}:explain", {"instances": []}, None, None),
    ("KServe without base64", 422, f"../../v1/models/{ID}:explain",
     {"instances": [{"image": {"b64": "?"}}]}, None, None),
    ("KServe with an address", 422, f"../../v1/models/{ID}:explain",
     {"instances": [{"image": {"url": "http://evil.example"}}]}, None, None),
    ("unknown KServe verb", 404, f"../../v1/models/{ID}:delete", {"instances": []}, None, None),
]  # fmt: skip


def filled(value, image, result):
    """The request with the ids of this page."""
    if isinstance(value, dict):
        return {name: filled(each, image, result) for name, each in value.items()}
    if isinstance(value, str):
        return value.replace("IMAGE", image["id"]).replace("RESULT", result["id"])
    return value


@pytest.mark.parametrize(("status", "path", "body", "headers", "method"), [b[1:] for b in BAD], ids=[b[0] for b in BAD])
def test_bad_requests(page, image, result, status, path, body, headers, method):
    path, body = filled(path, image, result), filled(body, image, result)
    below = path.removeprefix("../../") if path.startswith("../../") else f"api/v1/{path}"
    found, answer = page.request(below, body, headers=headers, method=method)
    assert found == status, answer
    error = answer["error"]
    assert error["status"] == status
    assert error["code"]
    assert error["message"]
    assert "Traceback" not in str(answer)
    assert str(page.settings.folder) not in str(answer)  # no path of this machine


def test_the_page_still_answers_after_all_of_them(page, image):
    assert page.get("")["worker"]["state"] == "ready"
    assert page.post("ask", {**ASK, "image": image["id"]})["after"]["classes"]


def test_every_response_has_a_policy(page):
    with urllib.request.urlopen(page.address) as response:
        assert response.headers["Content-Security-Policy"].startswith("default-src 'self'")
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["X-Frame-Options"] == "DENY"


def test_reports_are_shown_in_a_sandbox(page):
    (report,) = page.get("reports")["reports"]
    assert report == {"name": "table", "kind": "benchmark", "href": "reports/open/0/report.html"}
    with urllib.request.urlopen(f"{page.address}{report['href']}") as response:
        policy = response.headers["Content-Security-Policy"]
        assert response.read().endswith(b"report")
    assert "allow-same-origin" not in policy
    assert policy.startswith("sandbox allow-scripts")
    assert "default-src 'none'" in policy  # nothing can be fetched
    assert page.request("reports/open/0/pictures/explorer.html", raw=True) == (200, b"explorer")


def test_hostile_names_are_only_text(page, scene_image):
    found = page.upload(scene_image.rotate(90), "..%2F%3Cscript%3Ealert(1)%3C%2Fscript%3E.png")
    assert found["name"] == "script>.png"  # the last part of what looks like a path
    items = page.get("dataset/images?q=onerror")["items"]
    assert [item["name"] for item in items] == ["<img src=x onerror=alert(1)>.png"]


def test_the_latest_question_of_a_session_wins(page, image):
    questions = [ASK | {"image": image["id"], "patches": [number], "session": "s"} for number in range(12)]
    worker = page.page.link.process.pid
    os.kill(worker, signal.SIGSTOP)  # so that the first question is not answered before the last has come
    with ThreadPoolExecutor(12) as pool:
        futures = [pool.submit(page.request, "api/v1/ask", question) for question in questions]
        try:
            wait_until(lambda: sum(future.done() for future in futures) == 10)
        finally:
            os.kill(worker, signal.SIGCONT)
    answers = [future.result() for future in futures]
    assert sorted(status for status, _ in answers) == [200] * 2 + [409] * 10  # the first and the last
    assert all(answer["error"]["code"] == "superseded" for status, answer in answers if status == 409)
    wait_until(lambda: not page.page.latest.sessions)


def wait_until(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_two_hundred_uploads_at_once(page):
    images = [png(Image.new("RGB", (64, 64), (number, 0, 0))) for number in range(200)]
    with ThreadPoolExecutor(200) as pool:
        answers = list(pool.map(lambda body: page.request("api/v1/images", body, headers=PNG), images))
    assert {status for status, _ in answers} <= {201, 429}
    assert sum(status == 201 for status, _ in answers) >= 8
    assert page.page.uploading == 0


def test_slow_clients_tokens_and_evictions():
    limits = Limits(seconds_per_body=5.0, uploads=2, cache_bytes=400_000, streams=2)
    with running_page(limits=limits, prefix="/some/where", token="secret") as slow:
        assert slow.request("api/v1")[0] == 401
        assert slow.request("api/v1", headers={"Authorization": "Bearer wrong"})[0] == 401
        assert slow.request("api/v1", headers={"Cookie": "seewhy_token=secret"})[0] == 200
        token = {"Authorization": "Bearer secret"}
        sockets = [half_upload(slow, b"secret") for _ in range(2)]
        wait_until(lambda: slow.page.uploading == 2)
        status, _ = slow.request("api/v1/images", GOOD, headers=PNG | token)
        assert status == 429
        assert all(b" 408 " in part.recv(1000) for part in sockets)
        assert slow.request("api/v1/images", GOOD, headers=PNG | token)[0] == 201
        check_eviction(slow, token)
        streams = [open_stream(slow, b"secret") for _ in range(2)]
        assert slow.request("api/v1/events", headers=token)[0] == 429
        for part in [*sockets, *streams]:
            part.close()


def half_upload(page, token):
    """A client that sends half a body and waits."""
    client = socket.create_connection(("127.0.0.1", page.port), timeout=20)
    head = f"POST {page.settings.prefix}/api/v1/images HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: image/png\r\n"
    client.sendall(head.encode() + b"Authorization: Bearer " + token + b"\r\nContent-Length: 1000\r\n\r\nhalf")
    return client


def open_stream(page, token):
    client = socket.create_connection(("127.0.0.1", page.port), timeout=20)
    head = f"GET {page.settings.prefix}/api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer "
    client.sendall(head.encode() + token + b"\r\n\r\n")
    assert b" 200 " in client.recv(1000)
    return client


def check_eviction(page, token):
    """Uploads beyond the cache evict the oldest ones."""
    ids = []
    for number in range(4):
        noise = io.BytesIO()
        Image.effect_noise((300, 300), 60 + number).save(noise, "PNG")
        ids.append(page.request("api/v1/images", noise.getvalue(), headers=PNG | token)[1]["id"])
    assert page.request(f"api/v1/images/{ids[0]}", headers=token)[0] == 404
    assert page.request(f"api/v1/images/{ids[-1]}", headers=token)[0] == 200


def resident(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * 4096


def test_memory_over_a_thousand_requests(page, image):
    def some(count):
        for number in range(count):
            question = {**ASK, "image": image["id"], "patches": [number % 64], "session": "memory"}
            page.request("api/v1/ask", question)
            page.request("api/v1/images", GOOD[:60], headers=PNG)
            page.request(f"api/v1/images/{image['id']}/view?model={ID}", raw=True)
            page.request(f"api/v1/jobs/{number}")
            page.request("api/v1/dataset/images?limit=20&sort=-confidence")

    some(40)
    threads, before = threading.active_count(), [resident(pid) for pid in (os.getpid(), page.page.link.process.pid)]
    some(200)
    after = [resident(pid) for pid in (os.getpid(), page.page.link.process.pid)]
    assert all(late - early < 20e6 for early, late in zip(before, after, strict=True)), (before, after)
    assert threading.active_count() <= threads + 8
