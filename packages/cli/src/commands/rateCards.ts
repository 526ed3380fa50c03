import { Currency, formatBytes, LocalDate } from "@parley/domain/kernel"
import { MessageRate } from "@parley/domain/messaging"
import { Console, Effect, FileSystem, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { hasFaults, Refused } from "../console/Failure.ts"
import * as Flags from "../console/flags.ts"
import { collect, pageFlags, queryOf } from "../console/listing.ts"
import { printRows, type View } from "../console/print.ts"
import { confirm } from "../console/prompts.ts"
import { fineAmountText } from "../console/text.ts"
import { typedFlag } from "../console/typed.ts"
import { atInstallation } from "../tenant/atInstallation.ts"

/** Larger files are not rate cards. */
const maxBytes = 4 * 1_024 * 1_024

const countText = (count: number) => (count === 1 ? "1 rate" : `${count} rates`)

const view: View<MessageRate> = {
  schema: MessageRate,
  none: "No rate card is imported.",
  columns: [
    { heading: "CURRENCY", of: ({ currency }) => currency },
    { heading: "CATEGORY", of: ({ category }) => category },
    { heading: "COUNTRY", of: ({ country }) => country ?? "*" },
    { heading: "VALID FROM", of: ({ validFrom }) => validFrom },
    { heading: "PRICE", of: (rate) => fineAmountText(rate), align: "right" }
  ]
}

const nameOf = ({ category, country, currency, validFrom }: MessageRate) =>
  [currency, category, country ?? "*", validFrom].join(" ")

const readFile = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const refuse = () => new Refused({ message: `Cannot read ${path}.` })
  const { size } = yield* Effect.mapError(fs.stat(path), refuse)
  if (size > maxBytes) return yield* new Refused({ message: `${path} exceeds ${formatBytes(maxBytes)}.` })
  return yield* Effect.mapError(fs.readFile(path), refuse)
})

const importCommand = Command.make(
  "import",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("CSV with the columns country, category, currency, amount and valid_from")
    )
  },
  Effect.fn(function* ({ file }) {
    const { imported } = yield* atInstallation(({ operatorRateCards }) =>
      Effect.flatMap(readFile(file), (bytes) => operatorRateCards.importFile({ payload: Stream.succeed(bytes) }))
    ).pipe(
      // Each message names the line and the column, so the pointer would repeat them.
      Effect.mapError((failure) =>
        hasFaults(failure) ? new Refused({ message: failure.errors.map(({ message }) => message).join("\n") }) : failure
      )
    )
    yield* Console.error(`Imported ${countText(imported)}.`)
  })
).pipe(
  Command.withDescription("Import a rate card. All lines are stored, or none. Equal rates are replaced"),
  Command.withExamples([{ command: "parley rate-cards import eur-2026-10.csv" }])
)

const list = Command.make(
  "list",
  pageFlags,
  Effect.fn(function* ({ json, limit, quiet }) {
    const { isCut, rows } = yield* atInstallation(({ operatorRateCards }) =>
      collect(limit, (page) => operatorRateCards.list({ query: queryOf(page) }))
    )
    yield* printRows(view, { json, quiet }, rows, isCut, nameOf)
  })
).pipe(Command.withDescription("List the imported rates"))

const show = Command.make(
  "show",
  {
    currency: typedFlag("currency", Currency).pipe(Flag.withDescription("Currency of the rates, such as EUR")),
    validFrom: typedFlag("valid-from", LocalDate).pipe(
      Flag.withMetavar("day"),
      Flag.withDescription("First day of the rates, such as 2026-10-01")
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ currency, json, validFrom }) {
    const { rates } = yield* atInstallation(({ operatorRateCards }) =>
      operatorRateCards.get({ params: { currency, validFrom } })
    )
    yield* printRows(view, { json, quiet: false }, rates, false, nameOf)
  })
).pipe(Command.withDescription("Show the rates of a currency that start on a day"))

const remove = Command.make(
  "remove",
  {
    currency: typedFlag("currency", Currency).pipe(Flag.withDescription("Currency of the rates, such as EUR")),
    validFrom: typedFlag("valid-from", LocalDate).pipe(
      Flag.withMetavar("day"),
      Flag.withDescription("First day of the rates, such as 2026-10-01")
    ),
    yes: Flags.yes
  },
  Effect.fn(function* ({ currency, validFrom, yes }) {
    yield* confirm(`Remove all rates in ${currency} that start on ${validFrom}?`, yes)
    const params = { currency, validFrom }
    const removed = yield* atInstallation(({ operatorRateCards }) =>
      Effect.tap(
        Effect.map(operatorRateCards.get({ params }), ({ rates }) => rates.length),
        () => operatorRateCards.delete({ params })
      )
    )
    yield* Console.error(`Removed ${countText(removed)}.`)
  })
).pipe(Command.withDescription("Remove the rates of a currency that start on a day"))

/** Rate card commands, for the database or an operator token at a service. */
export const rateCards = Command.make("rate-cards").pipe(
  Command.withDescription("Prices of chat providers, for operators: import, list, show, remove"),
  Command.withSubcommands([importCommand, list, show, remove])
)
