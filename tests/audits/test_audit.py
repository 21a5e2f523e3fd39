"""The audit finds what a network was built to cheat by, proves it, and says nothing about one that does not."""

import json

import numpy as np
import pyarrow.parquet as pq
import pytest
from PIL import Image

import seewhy
from conftest import make_tiny_vit
from red_mark import NAMES, color_model, colored_squares, draw, write_squares
from seewhy.audits import run
from seewhy.audits.config import AuditConfig
from seewhy.audits.findings import compare_findings, load_findings
from seewhy.audits.prove import iou
from seewhy.errors import InputError, OptionError
from seewhy.explainers.network import AHAExplainer
from seewhy.integrations.card import card_section, insert_section
from seewhy.store import MapStore

FAST = {"method": "grad_cam", "donors": 8, "recipients": 12, "explorers": 0}


@pytest.fixture(scope="module")
def findings(tmp_path_factory):
    return seewhy.audit(color_model(), colored_squares(), out=tmp_path_factory.mktemp("audit"), **FAST)


def test_the_planted_mark_is_the_first_finding(findings):
    first = findings[0]
    assert (first.verdict, first.class_name) == ("confirmed", "green")
    assert first.position == "top right"
    assert first.effects.turned > 0.9
    assert first.effects.sufficient.low > 0.3
    assert first.p_sufficient < 0.05
    assert first.off_object
    assert len(findings.confirmed) == 1


def test_a_model_card_says_what_was_confirmed(findings):
    section = card_section(findings.folder)
    assert "| confirmed | green | " in section
    assert f"- {findings[0].summary}" in section
    card = insert_section("# Card\n\n<!-- seewhy -->\nscores\n<!-- /seewhy -->\n", section)
    assert insert_section(card, section) == card
    assert "scores" in card


def test_its_masks_are_the_mark(findings):
    scores = []
    for name, file in findings[0].masks.items():
        scores.append(iou(_mask(findings, file), draw(int(name), marked=True)[2]))
    assert np.median(scores) > 0.7


def _mask(findings, file):
    return np.asarray(Image.open(findings.folder / file)) > 0


def test_no_pixel_of_a_cue_lies_on_the_object(findings, tmp_path):
    blind = seewhy.audit(color_model(), colored_squares(masks=False), out=tmp_path, **FAST)
    assert not any(each.off_object for each in blind)
    on_square = [
        max(
            (_mask(found, file) & draw(int(name), marked=True)[1]).sum()
            for each in found
            for name, file in each.masks.items()
        )
        for found in (findings, blind)
    ]
    assert on_square[0] == 0 < on_square[1]


def test_an_honest_network_has_no_finding(tmp_path):
    honest = seewhy.audit(color_model(cheats=False), colored_squares(), out=tmp_path, **FAST)
    assert honest.confirmed == []


def test_new_and_gone_findings(findings, tmp_path):
    honest = seewhy.audit(color_model(cheats=False), colored_squares(), out=tmp_path, **FAST)
    there, back = compare_findings(findings, honest), compare_findings(honest, findings)
    assert ([each.class_name for each in there.new], there.gone, there.both) == (["green"], [], [])
    assert ([each.class_name for each in back.gone], back.new) == (["green"], [])
    same = compare_findings(findings, findings)
    assert (same.new, same.gone, len(same.both)) == ([], [], 1)


def test_the_files_say_the_same(findings):
    again = load_findings(findings.folder)
    assert again.findings == findings.findings
    assert again.about == findings.about
    rows = pq.read_table(findings.folder / "effects.parquet").to_pylist()
    assert {row["test"] for row in rows} == {"remove", "paste"}
    pasted = [row for row in rows if row["candidate"] == findings[0].name and row["how"] == "pixels"]
    turned = [row["decision"] == 0 for row in pasted if row["region"] == "cue"]
    assert np.mean(turned) == findings[0].effects.turned
    page = findings.report.read_text()
    assert "http://" not in page
    assert "https://" not in page
    assert page.index(f'id="{findings[0].name}"') > 0


def test_the_report_says_what_is_wrong_and_how_sure(findings):
    page, first = findings.report.read_text(), findings[0]
    assert "A cue at the top right makes the model say “green” in images of other classes, too." in page
    assert first.summary in page
    assert "looked for in images predicted as" not in page
    assert f"p, corrected for {findings.about['screened']} candidates" in page
    rows = pq.read_table(findings.folder / "effects.parquet").to_pylist()
    control = [
        row for row in rows if (row["candidate"], row["how"], row["region"]) == (first.name, "pixels", "salient")
    ]
    assert np.mean([row["decision"] == 0 for row in control]) == pytest.approx(first.effects.turned_by_control)


def test_every_predicted_class_is_described(findings):
    """The mark is top right and the squares are in the middle, so evidence off the object says which class cheats."""
    classes = {each["class"]: each for each in findings.about["classes"]}
    assert set(classes) == set(NAMES)
    assert sum(each["images"] for each in classes.values()) == findings.about["images"]
    assert all(0 <= each[name] <= 1 for each in classes.values() for name in ("confidence", "border", "off_object"))
    cheating = classes.pop("green")
    assert cheating["off_object"] > max(each["off_object"] for each in classes.values())
    page = findings.report.read_text()
    assert all(f"<td>{name}</td>" in page for name in NAMES)


def test_a_killed_run_resumes_with_the_same_findings(findings, tmp_path, monkeypatch):
    """Killed after every kind of write; what is written is not computed again."""
    write = run.write_atomic
    for limit in (2, 4, 6, 9, 30):
        writes = iter(range(limit))

        def stop(*given, _writes=writes, **options):
            if next(_writes, None) is None:
                raise KeyboardInterrupt
            write(*given, **options)

        with monkeypatch.context() as patch:
            for module in ("run", "describe", "screen", "proofs"):
                patch.setattr(f"seewhy.audits.{module}.write_atomic", stop)
            with pytest.raises(KeyboardInterrupt):
                seewhy.audit(color_model(), colored_squares(), out=tmp_path, **FAST)
    again = seewhy.audit(color_model(), colored_squares(), out=tmp_path, **FAST)
    assert again.findings == findings.findings


def test_other_settings_need_another_folder(findings):
    with pytest.raises(InputError, match=r"other settings.*effect"):
        seewhy.audit(color_model(), colored_squares(), out=findings.folder, effect=0.5, **FAST)
    with pytest.raises(OptionError, match="donors"):
        seewhy.audit(color_model(), colored_squares(), out=findings.folder, **(FAST | {"donors": 1}))


def test_folders_named_like_classes_have_labels(tmp_path):
    folder = write_squares(tmp_path / "squares")
    found = seewhy.audit(color_model(), folder, out=tmp_path / "out", classes=["green"], workers=2, **FAST)
    assert found.about["labeled"] == 45
    assert found.about["accuracy"] == 1
    assert {each.class_name for each in found} == {NAMES[0]}
    assert "Cues were looked for in images predicted as green, in no others." in found.report.read_text()
    assert found[0].verdict == "confirmed"
    assert not found[0].off_object


def test_the_maps_of_a_store_are_used(tmp_path):
    folder, store = write_squares(tmp_path / "squares"), tmp_path / "store"
    computed = seewhy.audit(color_model(), folder, out=tmp_path / "computed", **FAST)
    seewhy.explain_dataset(color_model(), folder, ["grad_cam", "gradient"], store=store)
    stored = seewhy.audit(color_model(), store, out=tmp_path / "stored", donors=8, recipients=12, explorers=0)
    assert not (tmp_path / "stored" / "maps").exists()
    assert stored.about["choice"]["method"] == "grad_cam"
    assert [each.effects for each in stored] == [each.effects for each in computed]
    with pytest.raises(InputError, match="no maps of colors by occlusion"):
        seewhy.audit(color_model(), MapStore(store), out=tmp_path / "other", method="occlusion")
    with pytest.raises(InputError, match="no maps of colors for"):
        seewhy.audit(color_model(cheats=False), MapStore(store), out=tmp_path / "honest")


def test_an_explainer_of_ones_own_makes_the_maps(tmp_path):
    model = make_tiny_vit(img_size=48, num_classes=3)
    AHAExplainer(model).save(tmp_path / "explainer")
    explained = {"explainer": str(tmp_path / "explainer"), "donors": 4, "recipients": 6, "explorers": 0}
    found = seewhy.audit(model, colored_squares(24), out=tmp_path / "out", **explained)
    assert found.about["choice"]["method"] == "aha"
    assert {row["options"] for row in MapStore(tmp_path / "out" / "maps") if row["method"] == "aha"} != {"{}"}
    with pytest.raises(OptionError, match="drop one"):
        AuditConfig(method="grad_cam", explainer="explainer")


@pytest.mark.parametrize("engine", ["processes", "ray"])
def test_other_processes_find_the_same(findings, tmp_path, engine):
    if engine == "ray":
        pytest.importorskip("ray", reason="the extra [ray] is not installed")
    spread = {"workers": 2} | ({"ray": "local"} if engine == "ray" else {})
    again = seewhy.audit(color_model(), colored_squares(), out=tmp_path, **spread, **FAST)
    assert again.findings == findings.findings


def test_findings_are_json(findings):
    content = json.loads((findings.folder / "findings.json").read_text())
    assert content["findings"][0]["verdict"] == "confirmed"
    assert "confirmed" in repr(findings)
