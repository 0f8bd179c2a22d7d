// Interactive versions of figures, drawn below them when they are asked for.
"use strict";

document.querySelectorAll("[data-interactive]").forEach((button) => {
  const ib = window.ironbark;
  const box = document.createElement("div");
  const words = document.createElement("p");
  const chart = document.createElement("div");
  words.className = "status";
  words.setAttribute("aria-live", "polite");
  chart.className = "chart";
  box.append(words, chart);
  box.hidden = true;
  button.closest("section").append(box);
  button.addEventListener("click", async () => {
    box.hidden = !box.hidden;
    button.setAttribute("aria-expanded", String(!box.hidden));
    if (box.hidden || chart.ironbarkView) return;
    const wanted = ib.address.parse(button.dataset.interactive);
    try {
      const study = await ib.load(wanted.study);
      const result = await ib.draw(chart, study, ib.complete(study, wanted));
      words.textContent = result.message || result.summary;
    } catch (error) {
      words.textContent = error.message;
    }
  });
});
