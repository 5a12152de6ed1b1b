/** The looks of what is shown: lanes, cards, artwork, lists, journal. */
export const partStyle: string = `
.lanes{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:12px}
.lane:last-child{grid-column:1/-1}
.lane:last-child>ul{max-height:46rem}
.lane{min-width:0;background:var(--sunken);border:1px solid var(--line);border-radius:12px;padding:10px}
.lane h3{display:flex;align-items:center;gap:7px;padding:2px 4px 8px}
.lane>ul{display:grid;gap:10px;grid-template-columns:repeat(auto-fill,minmax(min(100%,184px),1fr));align-items:start;max-height:24rem;overflow-y:auto;border-radius:8px;padding:2px}
.lane>ul:empty::after{content:"None";color:var(--quiet);font-size:12.5px;padding:4px}
.dot{width:9px;height:9px;border-radius:50%;background:var(--queued)}
.dot.processing{background:var(--processing)}
.dot.finished{background:var(--completed)}
.card{background:var(--panel);border:1px solid var(--line);border-radius:10px;padding:10px 11px;display:grid;gap:8px;min-width:0;border-top:3px solid var(--queued);animation:arrive .35s ease-out}
.card.processing{border-top-color:var(--processing)}
.card.completed{border-top-color:var(--completed)}
.card.failed{border-top-color:var(--failed)}
.card .head time{font-size:12px;color:var(--quiet)}
.card .foot{display:grid;gap:1px}
.card .buttons{gap:4px}
.card .buttons button{min-height:28px;padding:1px 5px;font-size:12px;flex:1 1 auto}
.reason{color:var(--failed);background:var(--failed-soft);border-radius:7px;padding:6px 9px;font-size:13px;overflow-wrap:anywhere}
@keyframes arrive{from{opacity:0;transform:translateY(-6px)}}
.artwork{display:grid;gap:5px;grid-template-columns:repeat(2,minmax(0,1fr))}
.artwork.of-1,.artwork.videos.of-2{grid-template-columns:minmax(0,1fr)}
.artwork.of-5{grid-template-columns:repeat(4,minmax(0,1fr))}
.artwork.videos.of-5{grid-template-columns:repeat(2,minmax(0,1fr))}
.artwork a{position:relative;display:block;border-radius:7px;overflow:hidden}
.artwork img{display:block;width:100%;aspect-ratio:1;object-fit:cover;background:var(--sunken);font-size:11px}
.artwork.videos img{aspect-ratio:16/9}
.length{position:absolute;right:5px;bottom:5px;background:#000c;color:#fff;font-size:11px;border-radius:5px;padding:1px 6px}
.elsewhere{font-size:12px;color:var(--quiet);overflow-wrap:anywhere}
.copy{display:grid;gap:10px;max-height:15rem;overflow-y:auto;border-radius:4px}
.copy li{border-left:2px solid var(--line);padding-left:9px;display:grid;gap:3px;font-size:13px;overflow-wrap:anywhere;justify-items:start}
.call{border:1px solid var(--edge);border-radius:6px;padding:1px 8px;font-size:12px;font-weight:500}
.empty{display:grid;gap:10px;padding:24px}
.empty h3{font-size:17px}
.account table{margin:8px 0}
.account th[scope=row]{text-transform:capitalize;color:var(--text);font-size:13px}
.account td,.account th[scope=col]:not(:first-child){text-align:right;padding-right:0;padding-left:10px}
.account details td:first-child,.account details td:nth-child(2),.account details th[scope=col]:nth-child(2){text-align:left;padding-left:0}
.account details td:first-child{padding-right:10px;color:var(--quiet)}
.left{font-weight:650}
.things{display:grid;gap:0}
.things:empty::after{content:attr(data-none);color:var(--quiet);font-size:12.5px}
#faults-list:empty::after{content:none}
.things>li{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:2px 12px;padding:8px 0;border-bottom:1px solid var(--line);align-items:center;overflow-wrap:anywhere}
.things>li:last-child{border-bottom:0}
.things>.thing{grid-template-columns:minmax(0,1fr)}
.things>.pictured{grid-template-columns:48px minmax(0,1fr)}
.thing>img{grid-row:span 2;width:48px;height:48px;object-fit:cover;border-radius:7px;align-self:start}
.things details{min-width:0}
.things .plain{margin-right:-8px}
.things pre{margin-top:6px}
.colors{display:inline-flex;gap:4px;margin-left:8px;vertical-align:-3px}
.color{width:16px;height:16px;border-radius:50%;border:1px solid var(--edge)}
.most{width:100%}
.scroll{max-height:38rem;overflow-y:auto;padding-top:0}
.scroll thead th{position:sticky;top:0;background:var(--panel);padding-top:12px;z-index:1}
.scroll>p{padding-top:14px}
.scroll>p:empty{display:none}
#journal-table td{white-space:nowrap}
#journal-table td:has(.entry),#journal-table .details td{white-space:normal}
#journal-table tr:has(+.details)>td{border-bottom:0}
#journal-table .details pre{margin-bottom:8px}
.entry{all:unset;cursor:pointer;overflow-wrap:anywhere;border-radius:4px;box-sizing:border-box}
.entry:hover{background:none;text-decoration:underline}
.entry:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.entry::before{content:"▸";color:var(--quiet);display:inline-block;width:15px}
.entry[aria-expanded=true]::before{content:"▾"}
.entry+.fault{margin-left:8px}
.method{font-weight:650;font-size:12px}
.status,.fault{display:inline-block;border-radius:6px;padding:0 7px;font-weight:600;font-size:12px;background:var(--queued-soft);color:var(--queued);white-space:nowrap}
.status.good{background:var(--completed-soft);color:var(--completed)}
.status.warn{background:var(--processing-soft);color:var(--processing)}
.status.bad,.fault{background:var(--failed-soft);color:var(--failed)}
@media (max-width:640px){.lanes{grid-template-columns:minmax(0,1fr)}}
@media (prefers-reduced-motion:reduce){*{animation:none!important;transition:none!important}}
`;
