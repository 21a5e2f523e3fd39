"""Explainers on the Hub: through a folder, and through a server that speaks the Hub's protocol."""

import base64
import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import torch

import seewhy
from conftest import make_tiny_cnn, make_tiny_vit
from seewhy.errors import InputError, ModelError
from seewhy.explainers.network import AHAExplainer
from seewhy.hub import is_folder

pytest.importorskip("huggingface_hub", reason="the Hub needs the extra [hf]")
SHA = "0123456789abcdef0123456789abcdef01234567"


class FakeHub(BaseHTTPRequestHandler):
    """Repositories in memory: creating, committing (no LFS), listing and downloading."""

    repositories: dict[str, dict[str, bytes]]

    def reply(self, content, status=200, **headers):
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in {"Content-Length": len(body), "X-Repo-Commit": SHA, **headers}.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/api/repos/create":
            name = "user/" + json.loads(body)["name"]
            self.repositories.setdefault(name, {})
            return self.reply({"url": f"http://{self.headers['Host']}/{name}"})
        if self.path == "/api/validate-yaml":
            return self.reply({"errors": [], "warnings": []})
        files = self.repositories["/".join(self.path.split("/")[3:5])]
        if "/preupload/" in self.path:
            names = [each["path"] for each in json.loads(body)["files"]]
            return self.reply(
                {"files": [{"path": name, "uploadMode": "regular", "shouldIgnore": False} for name in names]}
            )
        lines = [json.loads(line) for line in body.splitlines()]
        added = [line["value"] for line in lines if line["key"] == "file"]
        files.update({each["path"]: base64.b64decode(each["content"]) for each in added})
        return self.reply({"commitUrl": f"http://{self.headers['Host']}/user/mine/commit/{SHA}", "commitOid": SHA})

    def do_GET(self):
        parts = self.path.partition("?")[0].strip("/").split("/")
        if parts[0] != "api":
            return self.download(self.repositories.get("/".join(parts[:2]), {}), parts[-1])
        files = self.repositories.get("/".join(parts[2:4]))
        if files is None:
            return self.reply({"error": "Repository not found"}, 404, X_Error_Code="RepoNotFound")
        listed = [
            {"path": name, "rfilename": name, "type": "file", "size": len(files[name]), "oid": SHA} for name in files
        ]
        if "tree" in parts:
            return self.reply(listed)
        return self.reply({"id": "/".join(parts[2:4]), "sha": SHA, "siblings": listed, "tags": []})

    def download(self, files, name):
        if name not in files:
            return self.reply({"error": "Entry not found"}, 404, X_Error_Code="EntryNotFound")
        return self.reply(files[name], ETag=f'"{hashlib.sha1(files[name]).hexdigest()}"')

    do_HEAD = do_GET

    def log_message(self, *_):
        """Silent."""


@pytest.fixture
def hub(monkeypatch):
    monkeypatch.setenv("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    handler = type("Hub", (FakeHub,), {"repositories": {}})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", handler.repositories
    server.shutdown()
    server.server_close()


def maps_of(explainer):
    images = torch.rand(2, 3, 32, 32, generator=torch.Generator().manual_seed(3))
    with torch.no_grad():
        return explainer(images, torch.tensor([[1], [4]]))


@pytest.fixture
def explainer():
    return AHAExplainer(make_tiny_vit()).eval()


def test_a_folder(explainer, images, tmp_path):
    folder = tmp_path / "out" / "mine"
    explainer.push_to_hub(str(folder), scores={"ins_del": 0.25}, examples=images)
    assert {path.name for path in folder.iterdir()} == {
        "explainer.json", "explainer.safetensors", "README.md", "examples.jpg"
    }  # fmt: skip
    card = (folder / "README.md").read_text()
    assert card.startswith("---\nlibrary_name: seewhy")
    assert "| ins_del | 0.2500 |" in card
    assert explainer.model.fingerprint in card
    loaded = AHAExplainer.from_pretrained(str(folder), explainer.model)
    torch.testing.assert_close(maps_of(loaded), maps_of(explainer))


@pytest.mark.filterwarnings("ignore")
def test_the_hub(explainer, hub, tmp_path):
    endpoint, repositories = hub
    address = explainer.push_to_hub("user/mine", token="hf_x", endpoint=endpoint)
    assert address == f"{endpoint}/user/mine"
    assert repositories["user/mine"].keys() == {"explainer.json", "explainer.safetensors", "README.md"}
    where = {"endpoint": endpoint, "cache_dir": tmp_path}
    loaded = AHAExplainer.from_pretrained("user/mine", explainer.model, revision="main", **where)
    torch.testing.assert_close(maps_of(loaded), maps_of(explainer))
    with pytest.raises(ModelError, match="was trained for tiny-vit"):
        AHAExplainer.from_pretrained("user/mine", make_tiny_cnn(), **where)
    with pytest.raises(InputError, match="no explainer 'user/none'"):
        seewhy.hub.pull("user/none", **where)


@pytest.mark.filterwarnings("ignore")
def test_other_files_are_not_downloaded(explainer, hub, tmp_path):
    endpoint, repositories = hub
    explainer.push_to_hub("user/mine", token="hf_x", endpoint=endpoint)
    repositories["user/mine"]["weights.pkl"] = b"never opened"
    folder = seewhy.hub.pull("user/mine", endpoint=endpoint, cache_dir=tmp_path)
    assert {path.suffix for path in folder.iterdir()} == {".json", ".safetensors", ".md"}


def test_what_the_training_knew_is_kept(explainer, tmp_path):
    explainer.save(tmp_path / "trained", training={"step": 7}, held_out_images=["a.jpg"])
    (tmp_path / "trained" / "README.md").write_text("# my card\n")
    explainer.push_to_hub(str(tmp_path / "out" / "x"), card=tmp_path / "trained" / "README.md")
    metadata = json.loads((tmp_path / "out" / "x" / "explainer.json").read_text())
    assert metadata["training"] == {"step": 7}
    assert "# my card" in (tmp_path / "out" / "x" / "README.md").read_text()


def test_names_and_paths():
    assert not is_folder("user/name")
    assert all(is_folder(path) for path in ("name", "./user/name", "/a/b", "a/b/c"))
