// Filters the table of "Choose a method" by model, question and budget; without JavaScript the whole table is shown.
const CHOICES = {
  model: { any: "any network", vit: "a ViT (timm, Hugging Face, CLIP)", cnn: "a CNN or my own network", black: "only its outputs (ONNX, a service)" },
  question: { why: "why this class?", contrast: "why A and not B?", all: "show everything" },
  passes: { 1e9: "no limit", 5: "a few passes", 60: "a second", 500: "ten seconds" },
};

function fits(row, chosen) {
  const { model, network, passes, question } = row.dataset;
  const models = { any: true, vit: network !== "cnn", cnn: model !== "vit" && network !== "vit", black: model === "black" };
  const asked = { all: true, why: question !== "agnostic", contrast: question === "contrast" };
  const unlimited = Number(chosen.passes) >= 1e9;
  return models[chosen.model] && asked[chosen.question] && (unlimited || (passes !== "" && Number(passes) <= Number(chosen.passes)));
}

function setUp() {
  const form = document.getElementById("chooser");
  const rows = document.querySelectorAll("#methods tbody tr");
  if (!form || form.childElementCount || !rows.length) return;
  for (const [name, words] of Object.entries(CHOICES)) {
    const label = document.createElement("label");
    label.textContent = { model: "Model", question: "Question", passes: "Budget per map" }[name];
    const select = document.createElement("select");
    select.name = name;
    for (const [value, text] of Object.entries(words)) select.add(new Option(text, value));
    select.value = name === "passes" ? "1e9" : select.value;
    if (name === "passes") select.selectedIndex = [...select.options].findIndex((option) => Number(option.value) === 1e9);
    label.append(select);
    form.append(label);
  }
  form.hidden = false;
  const update = () => {
    const chosen = Object.fromEntries([...form.querySelectorAll("select")].map((select) => [select.name, select.value]));
    rows.forEach((row) => { row.hidden = !fits(row, chosen); });
  };
  form.addEventListener("change", update);
  update();
}

document.addEventListener("DOMContentLoaded", setUp);
setUp();
