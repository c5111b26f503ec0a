(() => {
'use strict';
const at = id => document.getElementById(id), list = at('list'), box = at('q'), order = at('sort'), more = at('more'), fold = at('fold');
const all = [...list.querySelectorAll('article')].map((el, i) => ({el, i, c: el.dataset.c, p: el.dataset.p, r: el.dataset.r, s: el.dataset.s,
	v: +el.dataset.v, t: el.dataset.t, u: +el.dataset.u, text: ''}));
if (!all.length) return;
document.documentElement.classList.add('js');
const dims = ['s', 'c', 'p', 'r'], some = 8, page = 60;
const chosen = {}, wide = {};
for (const d of dims) chosen[d] = new Set();
let hits = all, shown = page, open = false;
const few = new Intl.NumberFormat('en');
const orders = {
	used: (a, b) => b.u - a.u || a.i - b.i, sure: (a, b) => b.v - a.v || a.i - b.i, unsure: (a, b) => a.v - b.v || a.i - b.i,
	new: (a, b) => (a.t < b.t) - (a.t > b.t) || a.i - b.i, old: (a, b) => (a.t > b.t) - (a.t < b.t) || a.i - b.i,
};

const words = () => box.value.normalize('NFC').toLowerCase().split(/\s+/).filter(Boolean);
const said = a => a.text ||= (a.el.id + ' ' + a.r + ' ' + a.el.textContent).normalize('NFC').toLowerCase();

// choose finds the hits, and counts for each facet what choosing a name there would leave.
function choose() {
	const need = words(), counts = {};
	for (const d of dims) counts[d] = new Map();
	hits = [];
	for (const a of all) {
		if (!need.every(w => said(a).includes(w))) continue;
		const miss = dims.filter(d => chosen[d].size && !chosen[d].has(a[d]));
		if (!miss.length) hits.push(a);
		for (const d of dims) {
			const n = counts[d].get(a[d]) || 0;
			counts[d].set(a[d], n + (!miss.length || miss.length === 1 && miss[0] === d ? 1 : 0));
		}
	}
	if (orders[order.value]) hits.sort(orders[order.value]);
	shown = page;
	for (const d of dims) chips(d, counts[d]);
	draw();
	keep();
}

function chip(text, on, act) {
	const b = document.createElement('button');
	b.type = 'button'; b.className = 'chip'; b.textContent = text; b.onclick = act;
	if (on !== null) b.setAttribute('aria-pressed', on);
	return b;
}

function chips(d, counts) {
	const at_ = at('f-' + d), had = at_.contains(document.activeElement) ? document.activeElement.dataset.name : null;
	for (const n of chosen[d]) if (!counts.has(n)) counts.set(n, 0);
	const names = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
	const label = at_.firstElementChild, out = [label], most = names.length > some + 1 ? some : names.length;
	at_.hidden = names.length < 2;
	names.forEach(([name, n], i) => {
		if (!wide[d] && i >= most && !chosen[d].has(name)) return;
		const b = chip((name || 'none') + ' ' + few.format(n), chosen[d].has(name), () => { chosen[d].has(name) ? chosen[d].delete(name) : chosen[d].add(name); choose(); });
		b.dataset.name = name; b.classList.toggle('nil', !n);
		out.push(b);
	});
	if (names.length > most) {
		const b = chip(wide[d] ? 'fewer' : '+ ' + (names.length - most) + ' more', null, () => { wide[d] = !wide[d]; choose(); });
		b.classList.add('less'); out.push(b);
	}
	at_.replaceChildren(...out);
	if (had !== null) out.find(b => b.dataset && b.dataset.name === had)?.focus();
}

function draw() {
	const now = hits.slice(0, shown);
	for (const a of now) { const d = a.el.querySelector('details'); if (d && open) d.open = true; }
	list.replaceChildren(...now.map(a => a.el));
	at('count').textContent = few.format(now.length) + ' of ' + few.format(hits.length) + ' shown' + (hits.length < all.length ? ', of ' + few.format(all.length) + ' in all' : '');
	more.hidden = shown >= hits.length;
	paint(now);
}

// paint marks what was searched for, where the browser can without changing the page.
function paint(now) {
	if (!window.Highlight || !CSS.highlights) return;
	CSS.highlights.delete('hit');
	const need = words(), ranges = [];
	if (!need.length) return;
	for (const a of now) {
		const walk = document.createTreeWalker(a.el, NodeFilter.SHOW_TEXT);
		for (let n; (n = walk.nextNode());) {
			const low = n.data.toLowerCase();
			if (low.length !== n.data.length) continue;
			for (const w of need) for (let i = low.indexOf(w); i >= 0; i = low.indexOf(w, i + w.length)) {
				const r = new Range(); r.setStart(n, i); r.setEnd(n, i + w.length); ranges.push(r);
			}
		}
	}
	CSS.highlights.set('hit', new Highlight(...ranges));
}

// keep writes what is chosen into the address, so that it can be passed on.
function keep() {
	const p = new URLSearchParams();
	if (box.value) p.set('q', box.value);
	if (order.value) p.set('sort', order.value);
	for (const d of dims) for (const n of chosen[d]) p.append(d, n);
	try { history.replaceState(null, '', '#' + p); } catch { /* a page that is shown inside another */ }
}

function recall() {
	const h = decodeURIComponent(location.hash.slice(1));
	if (/^L-\w+$/.test(h)) { box.value = h; return; }
	const p = new URLSearchParams(location.hash.slice(1));
	box.value = p.get('q') || '';
	order.value = orders[p.get('sort')] ? p.get('sort') : '';
	for (const d of dims) chosen[d] = new Set(p.getAll(d));
}

let wait;
box.oninput = () => { clearTimeout(wait); wait = setTimeout(choose, all.length > 2000 ? 120 : 0); };
order.onchange = choose;
more.onclick = () => { shown += page; draw(); };
fold.onclick = () => {
	open = !open;
	fold.textContent = open ? 'fold all' : 'open all';
	for (const d of list.querySelectorAll('details')) d.open = open;
};
at('reset').onclick = () => { box.value = ''; order.value = ''; for (const d of dims) chosen[d].clear(); choose(); };
addEventListener('hashchange', () => { recall(); choose(); });
addEventListener('keydown', e => { if (e.key === '/' && !/INPUT|SELECT/.test(document.activeElement.tagName)) { e.preventDefault(); box.focus(); } });
addEventListener('beforeprint', () => { for (const d of list.querySelectorAll('details')) d.open = true; });
if (window.IntersectionObserver) new IntersectionObserver(es => { if (es[0].isIntersecting && !more.hidden) more.onclick(); }, {rootMargin: '600px'}).observe(more);
recall();
choose();
})();
