// SPDX-License-Identifier: Apache-2.0
/// \file
/// The style sheet of the HTML report: two palettes (light, dark), one column, tables that become cards below
/// 720 pixels. Colours are Okabe and Ito's, which colour-blind readers can tell apart, darkened for text on
/// white.
///
///   page += "<style>" + std::string(kHtmlStyle) + "</style>";
#pragma once

#include <string_view>

namespace aisp::report {

inline constexpr std::string_view kHtmlStyle = R"css(
:root{color-scheme:light dark;--bg:#fff;--ink:#1b1f24;--muted:#5b6470;--rule:#dfe3e8;--soft:#f5f7f9;
--grid:#e9ecf0;
--good:#00629b;--good-bg:#e3f0f8;--bad:#b03a00;--bad-bg:#fcebe1;--caution:#7a5800;--caution-bg:#fbf3d9;
--plain-bg:#eceff2;
--base:#7b8490;--step:#0072b2;--anchor:#c9611e;--info:#9467a8;--a1:#0072b2;--a2:#d55e00;--a3:#009e73;
--a4:#a3528b;
--region:#009e7326;--unity:#5b6470}
@media(prefers-color-scheme:dark){:root{--bg:#14171b;--ink:#e4e8ec;--muted:#9aa4b0;--rule:#2d333b;
--soft:#1b1f25;--grid:#262b32;
--good:#6bbcf0;--good-bg:#12324a;--bad:#ff9d6b;--bad-bg:#43210f;--caution:#e8c65a;--caution-bg:#3b3010;
--plain-bg:#2a3038;
--base:#8f99a5;--step:#56b4e9;--anchor:#f0904c;--info:#c195d6;--a1:#56b4e9;--a2:#f0904c;--a3:#2fc79c;
--a4:#d88fc4;
--region:#2fc79c2e;--unity:#9aa4b0}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1180px;padding:28px 28px 64px;background:var(--bg);color:var(--ink);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans","DejaVu Sans",sans-serif}
h1{font-size:24px;line-height:1.25;margin:0 0 2px;font-weight:650}
h1 code{font-size:inherit;font-weight:500;color:var(--muted)}
h2{font-size:19px;line-height:1.3;margin:0;font-weight:650;overflow-wrap:anywhere}
h2 .size{font-weight:400;color:var(--muted)}h2 .badge{font-size:13px;vertical-align:2px;margin-left:4px}
.runs{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr));gap:0 36px;
margin-bottom:28px}
section.run{margin-top:18px;padding-top:14px;border-top-width:1px}
td.where{overflow-wrap:anywhere;min-width:100px;font-size:13.5px}
p{margin:0 0 10px}.lead{font-size:16px;margin:2px 0 0}.facts{color:var(--muted);font-size:13.5px}
code,pre{font:12.5px/1.45 ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",
monospace;overflow-wrap:anywhere}
pre{margin:6px 0 0;padding:8px 10px;background:var(--soft);border-radius:4px;white-space:pre-wrap}
small{font-size:12.5px;color:var(--muted)}
section{margin-top:44px;padding-top:20px;border-top:2px solid var(--rule)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:3px 18px;margin:16px 0 0;font-size:13.5px}
dt{color:var(--muted)}dd{margin:0;overflow-wrap:anywhere}
.tally{display:flex;flex-wrap:wrap;gap:6px;margin:14px 0 4px}
.badge{display:inline-block;padding:1px 8px;border-radius:10px;font-size:12.5px;font-weight:600;
white-space:nowrap;
background:var(--plain-bg);color:var(--ink)}
.badge.good{background:var(--good-bg);color:var(--good)}.badge.bad{background:var(--bad-bg);color:var(--bad)}
.badge.caution{background:var(--caution-bg);color:var(--caution)}
.mark{font-size:11.5px;color:var(--muted);border:1px solid var(--rule);border-radius:3px;padding:0 4px;
white-space:nowrap}
table{border-collapse:collapse;width:100%;margin:14px 0 6px;font-size:14px}
th{text-align:left;font-size:12px;font-weight:600;color:var(--muted);padding:4px 12px 4px 0;
border-bottom:1px solid var(--rule);
vertical-align:bottom}
td{padding:6px 12px 6px 0;border-bottom:1px solid var(--grid);vertical-align:top}
th:last-child,td:last-child{padding-right:0}
.r{text-align:right}.num{font-variant-numeric:tabular-nums;white-space:nowrap}.note{overflow-wrap:anywhere}
.name{overflow-wrap:anywhere;min-width:112px}
td.note{font-size:13.5px}td.hash{max-width:150px}td.hash code{font-size:11.5px}
tr.why td{padding:0 0 8px;border-bottom:1px solid var(--grid)}tr.has-why td{border-bottom:0;
padding-bottom:3px}
a{color:inherit;text-decoration-color:var(--muted);text-underline-offset:2px}
a:hover{text-decoration-color:currentColor}
td .size{color:var(--muted);font-size:13px}td[data-label=workload]{overflow-wrap:anywhere;min-width:180px}
td svg{display:block;margin-top:3px}
.reasons{margin:8px 0;padding:0;list-style:none;font-size:13.5px}
.reasons li{padding:5px 10px;border-left:3px solid var(--rule);background:var(--soft);margin:0 0 3px;
overflow-wrap:anywhere}
.reasons .bad{border-color:var(--bad)}.reasons .caution{border-color:var(--caution)}
.reasons .bad b{color:var(--bad)}.reasons .caution b{color:var(--caution)}
.meter{display:inline-block;min-width:52px;background:linear-gradient(var(--step),
var(--step)) 0 100%/var(--part) 3px no-repeat,
linear-gradient(var(--grid),var(--grid)) 0 100%/100% 3px no-repeat;padding-bottom:4px}
.figures{display:grid;grid-template-columns:1fr 1fr;gap:20px 28px;margin:18px 0 8px}
figure{margin:0;min-width:0}figure.whole{grid-column:1/-1}figcaption{font-size:13.5px;color:var(--muted);
margin-bottom:4px}
figcaption b{color:var(--ink)}
.scroll{overflow-x:auto}.scroll>svg{display:block;width:100%;height:auto}
details{margin:10px 0;border-top:1px solid var(--rule);padding-top:8px}
summary{cursor:pointer;font-weight:600;font-size:14px}.count{font-weight:400;color:var(--muted);
font-size:13px;margin-left:6px}
footer{margin-top:48px;padding-top:12px;border-top:1px solid var(--rule);color:var(--muted);font-size:13px}
svg text{font:11px system-ui,"Segoe UI",Roboto,"Liberation Sans","DejaVu Sans",sans-serif;fill:var(--ink);
font-variant-numeric:tabular-nums}
svg .tick,svg .axis-name,svg .muted{fill:var(--muted)}svg .label{font-size:12px}
svg .grid{stroke:var(--grid)}svg .axis{stroke:var(--muted)}svg .unity{stroke:var(--unity);
stroke-dasharray:3 3}
svg .region{fill:var(--region)}svg .panel{fill:var(--soft)}svg .boundary{stroke:var(--muted);
stroke-opacity:.45}
.dots{fill:none;stroke-linecap:round;stroke-width:3.2;stroke-opacity:.42}.dots.big{stroke-width:5;
stroke-opacity:.85}
.dots.base{stroke:var(--base)}.dots.step{stroke:var(--step)}.dots.anchor{stroke:var(--anchor)}
.dots.info{stroke:var(--info)}
.dots.a1{stroke:var(--a1)}.dots.a2{stroke:var(--a2)}.dots.a3{stroke:var(--a3)}.dots.a4{stroke:var(--a4)}
.median{stroke-width:2.4;stroke:var(--ink)}
.interval{fill:none;stroke-width:1.2}.interval.base{stroke:var(--base)}.interval.step{stroke:var(--step)}
.interval.anchor{stroke:var(--anchor)}.interval.info{stroke:var(--info)}
.whisker{stroke-width:2;stroke:var(--muted)}.point{fill:var(--muted)}
.whisker.better{stroke:var(--step)}.point.better{fill:var(--step)}.whisker.worse{stroke:var(--a2)}
.point.worse{fill:var(--a2)}
.whisker.same{stroke:var(--ink)}.point.same{fill:var(--ink)}
.whisker.unclear,.whisker.aa{stroke:var(--muted)}.point.unclear,.point.aa{fill:var(--bg);stroke:var(--muted);
stroke-width:2}
.point.a1{fill:var(--a1)}.point.a2{fill:var(--a2)}.point.a3{fill:var(--a3)}.point.a4{fill:var(--a4)}
.point.base{fill:var(--base)}.point.step{fill:var(--step)}.point.anchor{fill:var(--anchor)}
.point.info{fill:var(--info)}
.curve{fill:none;stroke-width:2}.curve.base{stroke:var(--base)}.curve.step{stroke:var(--step)}
.curve.anchor{stroke:var(--anchor);stroke-dasharray:6 3}.curve.info{stroke:var(--info);stroke-dasharray:2 3}
svg .cross{stroke:var(--bad);stroke-width:1.6}
@media(max-width:720px){body{padding:18px 16px 48px}.figures{grid-template-columns:1fr}
.half .scroll>svg{min-width:500px}.whole .scroll>svg{min-width:760px}
dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:6px}
table.rows thead{display:none}table.rows,table.rows tbody,table.rows tr,table.rows td{display:block;
width:100%}
table.rows tr{padding:8px 0;border-bottom:1px solid var(--rule);display:flex;flex-direction:column}
table.rows td.none{display:none}table.rows td[data-label=verdict]{order:-1}
table.rows td[data-label=workload],table.rows td[data-label=variant]{order:-2}
table.rows td{border:0;padding:2px 0 2px 108px;text-align:left;position:relative;min-height:24px;
max-width:none}
table.rows td::before{content:attr(data-label);position:absolute;left:0;color:var(--muted);font-size:12.5px}
table.rows tr.has-why{border-bottom:0}table.rows tr.why td{padding-left:0}table.rows .num{white-space:normal}}
@media print{:root{color-scheme:light}body{max-width:none;padding:0;font-size:11px}section{break-before:auto}
figure,tr,h2{break-inside:avoid}h2{break-after:avoid}table{font-size:10.5px}
td .size,td.where,td.note,.reasons{font-size:inherit}.badge{font-size:10px;padding:0 6px}
td[data-label=workload]{min-width:110px}td.where{min-width:72px}.name{min-width:84px}th{font-size:10px}
th,td{padding-right:8px}}
)css";

}  // namespace aisp::report
