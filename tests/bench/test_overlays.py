"""Images of a report that show the winning class at each position, and their legends."""

from contrasts import contrast, quarters
from seewhy.bench import benchmark
from seewhy.bench.overlays import read_legend, save_classes
from seewhy.bench.report import galleries, write_report
from seewhy.types import Attribution
from tiny_bench import tiny_config, write_images


def test_the_legend_travels_with_the_picture(tmp_path):
    explanation = contrast(quarters())
    names = ("a < b", "bee, honey bee", "café")
    result = Attribution(explanation.maps, explanation.extras)
    (tmp_path / "x.jpg").write_bytes(save_classes(result, explanation.images, explanation.targets, names))
    assert read_legend(tmp_path / "x.jpg") == [
        ("A", "#e47400", "a < b"),
        ("B", "#0072b2", "bee"),
        ("C", "#f0e442", "café"),
    ]
    assert save_classes(Attribution(explanation.maps), explanation.images, explanation.targets, names) is None


def test_a_report_of_grids_shows_who_wins_where(tmp_path):
    pictures = write_images(tmp_path / "photos", 8)
    for number, file in enumerate(sorted(pictures.rglob("*.png"))):
        folder = pictures / f"class{number % 4}"  # four classes
        folder.mkdir(exist_ok=True)
        file.rename(folder / file.name)
    config = tiny_config(
        pictures,
        tmp_path / "out",
        data={"kind": "imagenet", "path": str(pictures), "quad": True},
        methods=["grad_cam", {"name": "var:grad_cam", "label": "with VAR"}],
        protocols=["var"],
        metrics=["region_attribution"],
        targets="labels",
        examples=1,
    )
    results = benchmark(config)
    plain, classes = galleries(results, tmp_path)
    assert (plain.methods, classes.methods) == (("grad_cam", "with VAR"), ("with VAR",))
    assert [len(row.images) for row in classes.rows] == [2]
    assert all(picture.startswith("data:image/jpeg") for picture in classes.rows[0].images)
    assert [letter for letter, _, _ in classes.rows[0].legend] == ["A", "B", "C", "D"]
    assert "Winning class" in write_report(results).read_text()
