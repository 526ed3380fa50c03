import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { declaredMetrics } from "../support/metrics.ts"
import { programNamed, runProgram } from "../support/programs.ts"
import { readYaml } from "../support/yaml.ts"

const root = fileURLToPath(new URL("../../../../", import.meta.url))
const folder = `${root}deploy/observability/`

const Labels = Schema.Struct({ severity: Schema.Literals(["page", "ticket"]) })
const Annotations = Schema.Struct({ summary: Schema.String, runbook: Schema.String })

const Rules = Schema.Struct({
  groups: Schema.Tuple([
    Schema.Struct({
      name: Schema.Literal("parley"),
      rules: Schema.Array(
        Schema.Struct({
          alert: Schema.String,
          expr: Schema.String,
          for: Schema.optional(Schema.String),
          labels: Labels,
          annotations: Annotations
        })
      )
    })
  ])
})

const Series = Schema.Struct({ series: Schema.String, values: Schema.String })

const Expected = Schema.Struct({
  exp_labels: Schema.Record(Schema.String, Schema.String),
  exp_annotations: Annotations
})

const Tests = Schema.Struct({
  rule_files: Schema.Tuple([Schema.Literal("parley.rules.yml")]),
  evaluation_interval: Schema.String,
  tests: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      interval: Schema.String,
      input_series: Schema.Array(Series),
      alert_rule_test: Schema.Tuple([
        Schema.Struct({ eval_time: Schema.String, alertname: Schema.String, exp_alerts: Schema.Array(Expected) })
      ])
    })
  )
})

const strictly = { onExcessProperty: "error" } as const
const read = (name: string) => readYaml(readFileSync(`${folder}${name}`, "utf8"))

const { rules } = Schema.decodeUnknownSync(Rules, strictly)(read("parley.rules.yml")).groups[0]
const { tests } = Schema.decodeUnknownSync(Tests, strictly)(read("parley.rules.test.yml"))

const metricOf = (name: string) => name.replace(/_(?:bucket|count|sum)$/u, "")

layer(NodeServices.layer)("the alerts", (it) => {
  it.effect("use only metrics that exist", () =>
    Effect.gen(function* () {
      const declared = yield* declaredMetrics
      for (const { alert, expr } of rules) {
        const metrics = Array.from(expr.matchAll(/\bparley_[a-z_]+/gu), ([name]) => name)
        const unknown = metrics.filter((name) => !declared.has(name) && !declared.has(metricOf(name)))
        assert.deepStrictEqual(unknown, [], alert)
      }
    })
  )

  it("have an existing runbook each, which names the alert", () => {
    for (const { alert, annotations } of rules) {
      assert.match(annotations.runbook, /^docs\/runbooks\/[a-z-]+\.md$/u, alert)
      assert.isTrue(existsSync(`${root}${annotations.runbook}`), annotations.runbook)
      assert.include(readFileSync(`${root}${annotations.runbook}`, "utf8"), `\`${alert}\``)
    }
  })

  it("are tested with a firing series and a quiet series", () => {
    assert.lengthOf(rules, 12)
    for (const { alert } of rules) {
      const own = tests.filter(({ alert_rule_test: [test] }) => test.alertname === alert)
      const fired = own.flatMap(({ alert_rule_test: [test] }) => test.exp_alerts)
      const series = own.flatMap(({ input_series }) => input_series)
      assert.lengthOf(fired, 1, alert)
      assert.isAtLeast(series.length, 2, alert)
    }
  })
})

const promtool = programNamed("promtool")

describe.skipIf(promtool === null)("the alerts in promtool (needs Debian's prometheus)", () => {
  const run = (...args: ReadonlyArray<string>) => runProgram(promtool ?? "", args, folder)

  it("are valid", () => {
    assert.include(run("check", "rules", "parley.rules.yml"), `${rules.length} rules found`)
  })

  it("fire and stay quiet as tested", () => {
    assert.include(run("test", "rules", "parley.rules.test.yml"), "SUCCESS")
  })
})
