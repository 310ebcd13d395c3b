//! The page on all papers: every claim in a line, in English and Chinese, and a section on each paper.

use super::{COLUMNS, Reproduction, Survey, TITLE, counts, provenance};
use crate::report::{
    CLAIM_SECTIONS, Claim, ClaimVerdict, Origin, PaperReport, claim_id, verdict_html,
};
use agon_report::assets::bilingual_script;
use agon_report::report::{Page, Text, bilingual};
use maud::{Markup, html};

/// The page; it links to the pages of the papers beside it.
pub fn html(survey: &Survey) -> String {
    let reports = || survey.reproductions.iter().filter_map(|run| run.report.as_ref().ok());
    let of_papers = || reports().flat_map(|report| report.claims_of(Origin::Paper));
    let count = |verdict| of_papers().filter(|(_, claim)| claim.verdict() == verdict).count();
    let sources: Vec<_> = survey.reproductions.iter().map(Reproduction::source).collect();
    let mut page = Page::new(TITLE, counts(count));
    page.script(bilingual_script());
    page.lead(html! { p class="note" { (bilingual(provenance(&sources))) } });
    let every = html! { (overview(survey, Origin::Paper)) (legend()) };
    page.section("every-claim", ("Every claim", "全部论断"), every);
    if reports().any(|report| report.claims_of(Origin::Ours).next().is_some()) {
        let ours = html! { (overview(survey, Origin::Ours)) };
        page.section("our-findings", ("Our findings", "我们的发现"), ours);
    }
    for run in &survey.reproductions {
        match &run.report {
            Ok(report) => page.section(run.id(), title(run), paper(run, report)),
            Err(why) => page.section(run.id(), title(run), failed(run, why)),
        }
    }
    let command = html! {
        p { (bilingual(("This command makes the page again:", "重新生成本页的命令："))) }
        pre { (survey.command) }
    };
    page.section("command", ("Command", "命令"), command);
    page.html()
}

/// The title of a paper's section.
fn title(run: &Reproduction) -> Text {
    match &run.report {
        Ok(report) => (&report.title, &report.chinese[0]).into(),
        Err(_) => run.name.into(),
    }
}

/// Every claim of this origin in a line, with links to its evidence and its command.
fn overview(survey: &Survey, origin: Origin) -> Markup {
    let heads = [
        ("paper", "论文"),
        ("section", "章节"),
        ("claim", "论断"),
        ("verdict", "结论"),
        ("share run", "已运行"),
        ("command", "命令"),
    ];
    html! {
        div class="scroll" tabindex="0" {
            table class="overview" {
                thead { tr { @for (english, chinese) in heads { th class="t" data-zh=(chinese) { (english) } } } }
                tbody {
                    @for run in &survey.reproductions {
                        @match &run.report {
                            Ok(report) => {
                                @for (i, claim) in report.claims_of(origin) {
                                    (line(run, i, claim))
                                }
                            },
                            Err(_) => @if origin == Origin::Paper { (failed_line(run)) },
                        }
                    }
                }
            }
        }
    }
}

fn line(run: &Reproduction, number: usize, claim: &Claim) -> Markup {
    let place = claim.section();
    html! {
        tr {
            td class="t" { a href={ "#" (run.id()) } { (bilingual(title(run))) } }
            td class="t" { (bilingual((place.to_string(), place.in_chinese()))) }
            td class="t" {
                a href={ "#" (run.id()) "-" (claim_id(number)) } {
                    (bilingual((claim.title(), claim.chinese_title())))
                }
            }
            td { (verdict_html(claim)) }
            td class="t" { (share(claim)) }
            td class="t" { (command_link(run)) }
        }
    }
}

fn failed_line(run: &Reproduction) -> Markup {
    html! {
        tr {
            td class="t" { a href={ "#" (run.id()) } { (run.name) } }
            td class="t" { "-" }
            td class="t" {
                a href={ "#" (run.id()) } {
                    (bilingual(("This reproduction failed.", "该复现运行失败。")))
                }
            }
            td { "-" }
            td class="t" { "-" }
            td class="t" { (command_link(run)) }
        }
    }
}

fn command_link(run: &Reproduction) -> Markup {
    html! { a href={ "#" (run.id()) "-command" } { code { "reproduce " (run.name) } } }
}

fn share(claim: &Claim) -> Markup {
    match claim.share() {
        Some(share) => bilingual((share.text(), share.chinese())),
        None => html! { "-" },
    }
}

/// What the verdicts mean.
fn legend() -> Markup {
    let language = (
        "Texts without a Chinese version, such as the evidence, stay English.",
        "没有中文的文字（如依据）保留英文。",
    );
    html! {
        ul class="claims" {
            @for verdict in ClaimVerdict::ALL {
                li {
                    span class={ "verdict " (verdict.class()) } data-zh=(verdict.chinese(Origin::Paper)) {
                        (verdict.name(Origin::Paper))
                    }
                    div { (bilingual(verdict.meaning())) }
                }
            }
        }
        p class="note" { (bilingual(super::OURS)) }
        p class="note" { (bilingual(language)) }
    }
}

fn paper(run: &Reproduction, report: &PaperReport) -> Markup {
    html! {
        p class="note" { (bilingual((&report.paper, &report.chinese[1]))) }
        (facts(run))
        @if !report.summary.is_empty() { p class="summary" lang="en" { (report.summary) } }
        @for warning in &report.warnings { p class="warn" lang="en" { (warning) } }
        @for (origin, _, heading) in CLAIM_SECTIONS {
            @if report.claims_of(origin).next().is_some() {
                h3 { (bilingual(heading)) }
                (claims(run, report.claims_of(origin)))
            }
        }
        p {
            a href=(run.page) { (bilingual(("All tables and figures", "全部表格与图"))) }
            (bilingual((", made by:", "，生成命令：")))
        }
        pre id={ (run.id()) "-command" } { (run.command) }
    }
}

/// Date, commit and the like, with their names in both languages.
fn facts(run: &Reproduction) -> Markup {
    const CHINESE: [(&str, &str); 5] = [
        ("date", "日期"),
        ("commit", "提交"),
        ("run", "运行"),
        ("scale", "规模"),
        ("machine", "机器"),
    ];
    let chinese = |name: &str| CHINESE.into_iter().find(|(fact, _)| *fact == name).map(|c| c.1);
    html! {
        dl class="facts" {
            @for (name, value) in &run.facts {
                dt data-zh=[chinese(name)] { (name) }
                dd lang="en" { (value) }
            }
        }
    }
}

fn failed(run: &Reproduction, why: &str) -> Markup {
    html! {
        p class="warn" {
            (bilingual(("This reproduction failed: ", "该复现运行失败："))) span lang="en" { (why) }
        }
        pre id={ (run.id()) "-command" } { (run.command) }
    }
}

fn claims<'a>(run: &Reproduction, claims: impl Iterator<Item = (usize, &'a Claim)>) -> Markup {
    const CHINESE: [&str; COLUMNS.len()] =
        ["论断", "章节", "解读", "论文", "我们", "已运行", "结论"];
    let or_dash = |text: &str| if text.is_empty() { "-".to_string() } else { text.to_string() };
    html! {
        div class="scroll" tabindex="0" {
            table {
                thead {
                    tr {
                        @for (english, chinese) in COLUMNS.iter().zip(CHINESE) {
                            th class="t" data-zh=(chinese) { (english) }
                        }
                    }
                }
                tbody {
                    @for (i, c) in claims {
                        @let place = c.section();
                        tr id={ (run.id()) "-" (claim_id(i)) } {
                            td class="t" { (bilingual((c.text(), c.chinese()))) }
                            td class="t" { (bilingual((place.to_string(), place.in_chinese()))) }
                            td class="t" { (or_dash(c.reading())) }
                            td class="t" lang="en" { (or_dash(c.paper())) }
                            td class="t" lang="en" { (c.evidence()) }
                            td class="t" { (share(c)) }
                            td { (verdict_html(c)) }
                        }
                    }
                }
            }
        }
    }
}
