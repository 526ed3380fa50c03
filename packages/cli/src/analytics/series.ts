import { Currency, Series, SeriesFigure, SeriesStep } from "@parley/domain"
import { Console, Effect, Option, Schema } from "effect"
import { CliError, Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { suggestion } from "../console/nearest.ts"
import { printJson } from "../console/print.ts"
import { typedFlag } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { drawnSeries } from "./drawnSeries.ts"
import { accountFlag, accountOf, rangeFlags, rangeOf } from "./range.ts"

const mostFigures = 10

const isFigure = Schema.is(SeriesFigure)

/** There are too many figures to name them all to somebody who has mistyped one. */
const readFigure = (value: string) => {
  if (isFigure(value)) return Effect.succeed(value)
  const like = suggestion(value, SeriesFigure.literals)
  const expected = `Expected a figure by its place in the overview, such as conversations.opened.${like}`
  return Effect.fail(new CliError.InvalidValue({ option: "figure", value, expected, kind: "flag" }))
}

const encode = Schema.encodeSync(Schema.toCodecJson(Series))

/** Draws figures over time. */
export const seriesCommand = Command.make(
  "series",
  {
    org: Flags.org,
    figure: Flag.String("figure").pipe(
      Flag.withMetavar("figure"),
      Flag.mapEffect(readFigure),
      Flag.withDescription("What is drawn, such as messages.inbound.total; repeat it for more than one"),
      Flag.between(1, mostFigures)
    ),
    by: Flag.Literals("by", SeriesStep.literals).pipe(
      Flag.withDescription("What a bar is: an hour (of 7 days at most), a day, a week or a month"),
      Flag.withDefault("day")
    ),
    currency: typedFlag("currency", Currency).pipe(
      Flag.withDescription("Of figures that are money; the organization's own if not said"),
      Flag.optional
    ),
    ...rangeFlags,
    account: accountFlag,
    json: Flags.json
  },
  Effect.fn(function* ({ account, by, currency, figure, json, org, ...said }) {
    const query = {
      figure: Array.from(new Set(figure)),
      by,
      ...(Option.isSome(currency) && { currency: currency.value }),
      ...rangeOf(said),
      ...accountOf(account)
    }
    yield* inTenant(org, ({ analytics }) =>
      Effect.flatMap(analytics.series({ query }), (series) =>
        json ? printJson(encode(series)) : Console.log(drawnSeries(series))
      )
    )
  })
).pipe(
  Command.withDescription("Draw figures over time: one as bars, several as a line each"),
  Command.withExamples([
    { command: "parley analytics series --org acme --figure messages.inbound.total" },
    {
      command:
        "parley analytics series --figure conversations.opened --figure conversations.resolved --by week --period 30d"
    }
  ])
)
