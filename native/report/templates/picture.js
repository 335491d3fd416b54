// What a call is stands at its name; its line says it too, and each lights up with the other.
for (const svg of document.querySelectorAll('svg.model')) {
  const lines = svg.querySelectorAll('.line:not(.state) path'), labels = svg.querySelectorAll('.call text');
  labels.forEach((label, place) => {
    const both = [label, lines[place]];
    lines[place].append(label.querySelector('title').cloneNode(true));
    for (const one of both) {
      one.onmouseenter = () => both.forEach(other => other.classList.add('lit'));
      one.onmouseleave = () => both.forEach(other => other.classList.remove('lit'));
    }
  });
}
// A picture higher than its box is shown from where its root is.
for (const drawing of document.querySelectorAll('.drawing')) {
  const show = () => {
    const box = drawing.querySelector('.scroll'), root = drawing.querySelector('.root').getBoundingClientRect();
    box.scrollTop += root.top - box.getBoundingClientRect().top - box.clientHeight / 2;
  };
  show();
  drawing.addEventListener('toggle', show);
}
