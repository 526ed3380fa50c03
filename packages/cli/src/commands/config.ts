import { type Reading, readSettings } from "@parley/service/configuration"
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printJson, table } from "../console/print.ts"
import { serviceFlags } from "../console/serviceProcess.ts"
import { parley } from "../parley.ts"

const named = ({ setting }: Reading<unknown>) => setting.variable

export const config = Command.make(
  "config",
  { ...serviceFlags, json: Flags.json },
  Effect.fn(function* ({ json, ...flags }) {
    const settings: Record<string, Reading<unknown>> = yield* readSettings({ ...(yield* parley), ...flags })
    const readings = Object.values(settings)
    if (json) {
      return yield* printJson(
        readings.map(({ setting, shown, source }) => ({
          variable: setting.variable,
          flag: setting.flag === null ? null : `--${setting.flag}`,
          value: shown,
          source,
          about: setting.about
        }))
      )
    }
    yield* Console.log(
      table(readings, [
        { heading: "VARIABLE", of: named },
        { heading: "FLAG", of: ({ setting }) => (setting.flag === null ? "" : `--${setting.flag}`) },
        { heading: "VALUE", of: ({ shown }) => shown },
        { heading: "FROM", of: ({ source }) => source },
        { heading: "ABOUT", of: ({ setting }) => setting.about }
      ])
    )
  })
).pipe(Command.withExamples([{ command: "PARLEY_PORT=9000 parley config" }]))
