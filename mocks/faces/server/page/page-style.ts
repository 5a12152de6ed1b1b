import { palette, variables } from "./page-palette.ts";
import { partStyle } from "./page-style-parts.ts";

const basics = `
:root{color-scheme:light dark;${variables(palette.light)}}
@media (prefers-color-scheme:dark){:root{${variables(palette.dark)}}}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;background:var(--ground);color:var(--text);font:14px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;font-variant-numeric:tabular-nums}
code,pre,.clock,.day{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
code{font-size:.93em;overflow-wrap:anywhere}
h1,h2,h3,p,ul,pre{margin:0;padding:0}
ul{list-style:none}
h1{font-size:15px;font-weight:650;display:flex;align-items:center;gap:9px}
h1 small{font-size:12px;font-weight:500;color:var(--quiet)}
h2{font-size:15px;font-weight:650;margin-bottom:10px}
h3{font-size:13px;font-weight:600}
.quiet{color:var(--quiet);font-size:12.5px;overflow-wrap:anywhere}
.count{color:var(--quiet);font-weight:500;font-size:12.5px;margin-left:3px}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:-999px;top:8px;padding:8px 12px;background:var(--panel);z-index:3;border-radius:8px}
.skip:focus{left:12px}
a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
section:focus{outline:none}
section:focus-visible{outline:2px solid var(--accent);outline-offset:6px;border-radius:4px}
button,input,select{font:inherit;color:inherit;min-height:32px;border:1px solid var(--edge);border-radius:8px;background:var(--panel)}
button{padding:3px 11px;cursor:pointer;font-weight:500;white-space:nowrap}
button:hover{background:var(--sunken)}
button:active{transform:translateY(1px)}
button.main{background:var(--accent);border-color:var(--accent);color:var(--on-accent);font-weight:600}
button.main:hover{filter:brightness(1.08)}
button.plain{border-color:transparent;background:none;color:var(--quiet);padding:3px 8px;min-height:28px}
button.plain:hover{color:var(--text);background:var(--sunken)}
button.danger{color:var(--failed);border-color:var(--failed)}
input,select{padding:3px 9px;width:100%;min-width:0}
input::placeholder{color:var(--quiet);opacity:1}
input[type=checkbox]{width:16px;min-height:16px;height:16px;accent-color:var(--accent);margin:0}
label{display:block;font-size:12px;color:var(--quiet);font-weight:500}
label input,label select{display:block;margin-top:3px;color:var(--text);font-size:14px;font-weight:400}
label.check{display:flex;align-items:center;gap:7px;align-self:center}
label.check input{margin:0}
summary{cursor:pointer;font-weight:550;padding:3px 0;border-radius:6px;width:fit-content}
summary::marker{color:var(--quiet)}
pre{background:var(--sunken);border:1px solid var(--line);border-radius:8px;padding:10px 12px;font-size:12px;line-height:1.5;white-space:pre-wrap;overflow-wrap:anywhere;max-height:24rem;overflow:auto}
table{border-collapse:collapse;width:100%;font-size:13px}
th{font-weight:500;font-size:12px;color:var(--quiet);text-align:left}
th,td{padding:5px 10px 5px 0;border-bottom:1px solid var(--line);vertical-align:top}
tbody tr:last-child>*{border-bottom:0}
.panel{background:var(--panel);border:1px solid var(--line);border-radius:12px;padding:14px 16px}
.head>.plain{margin-right:-8px}
.head{display:flex;justify-content:space-between;align-items:baseline;gap:10px}
.line{display:flex;gap:6px}
.buttons{display:flex;gap:6px;flex-wrap:wrap}
.stack{display:grid;gap:12px}
`;

const layout = `
.top{position:sticky;top:0;z-index:2;display:flex;align-items:center;gap:10px 18px;flex-wrap:wrap;padding:10px 24px;background:var(--panel);border-bottom:1px solid var(--line)}
.mark{width:20px;height:20px;border-radius:6px;background:var(--accent);position:relative}
.mark::after{content:"";position:absolute;inset:5px;border:2px solid var(--on-accent);border-bottom:0;border-right:0;transform:translateY(2px) rotate(45deg)}
.link{font-size:12.5px;color:var(--quiet);display:flex;align-items:center;gap:6px}
.link::before{content:"";width:8px;height:8px;border-radius:50%;background:var(--edge)}
[data-link=live] .link::before{background:var(--completed)}
[data-link=gone] .link{color:var(--failed);font-weight:600}
[data-link=gone] .link::before{background:var(--failed)}
.time{display:flex;align-items:center;gap:10px;flex-wrap:wrap;margin-left:auto}
.now{min-width:0;line-height:1.15;text-align:right}
.day{display:block;font-size:11px;color:var(--quiet)}
.clock{font-size:17px;font-weight:600}
.time input{width:92px}
main{display:grid;grid-template-columns:minmax(0,1fr) 344px;gap:28px;max-width:1560px;margin:0 auto;padding:22px 24px 12px}
.wide-column,.narrow-column{display:grid;gap:28px;align-content:start;min-width:0}
footer{max-width:1560px;margin:0 auto;padding:8px 24px 40px}
footer table{margin-top:10px}
footer td{overflow-wrap:anywhere}
footer td:first-child{min-width:150px}
form{margin:0}
details>form{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:10px;margin:8px 0 6px;align-items:end}
details>form .long{grid-column:1/-1}
.compose>form{grid-template-columns:repeat(auto-fit,minmax(130px,1fr))}
.compose>form .long{grid-column:span 2}
.compose{margin-bottom:14px;padding:9px 16px}
.message{position:fixed;left:50%;bottom:20px;transform:translateX(-50%);z-index:4;width:max-content;max-width:calc(100vw - 32px);padding:10px 16px;border-radius:10px;background:var(--text);color:var(--ground);font-weight:500;overflow-wrap:anywhere;box-shadow:0 6px 24px rgb(0 0 0/.22)}
.message:empty{visibility:hidden;padding:0}
.message[data-kind=failed]{background:var(--failed);color:var(--panel)}
@media (max-width:1000px){main{grid-template-columns:minmax(0,1fr)}.time{margin-left:0}}
@media (max-width:640px){
.top{position:static;padding:12px 16px;gap:10px}
.top h1{flex:1}
[data-link=live] .link{font-size:0}
[data-link=gone] .link{order:1;width:100%}
.time{width:100%;order:2;display:grid;grid-template-columns:auto 1fr}
.time .buttons{justify-content:flex-end}
.time form{grid-column:1/-1}
.time form{flex:1}
.time input{width:auto;flex:1}
.now{text-align:left}
main,footer{padding-left:16px;padding-right:16px}
.compose>form{grid-template-columns:repeat(2,minmax(0,1fr))}
.wide{display:none}
button,input,select{min-height:38px}
}
`;

/** The whole style sheet. */
export const style: string = (basics + layout + partStyle).trim();
