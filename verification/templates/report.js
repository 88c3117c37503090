const claims = [...document.querySelectorAll("details.claim")];
const buttons = [...document.querySelectorAll("button[data-filter]")];
const search = document.querySelector(".filters input");
function show() {
  const wanted = {verdict: [], nature: []};
  for (const b of buttons)
    if (b.getAttribute("aria-pressed") === "true") wanted[b.dataset.filter].push(b.dataset.value);
  const meant = c => Object.entries(wanted).every(([key, values]) => !values.length || values.includes(c.dataset[key]));
  const text = search.value.toLowerCase();
  for (const c of claims)
    c.hidden = !meant(c) || !c.textContent.toLowerCase().includes(text);
  for (const s of document.querySelectorAll("section.paper"))
    s.hidden = ![...s.querySelectorAll("details.claim")].some(c => !c.hidden);
}
for (const b of buttons) b.onclick = () => {
  b.setAttribute("aria-pressed", b.getAttribute("aria-pressed") !== "true"); show(); };
search.oninput = show;
function open() { const c = document.getElementById(location.hash.slice(1)); if (c) c.open = true; }
addEventListener("hashchange", open); open();
