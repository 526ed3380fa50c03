import { Currency, LocalDate } from "@parley/domain/kernel"
import { importRateCard, listRates, MessageRate, removeRates } from "@parley/domain/messaging"
import { Console, Effect, FileSystem } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Refused } from "../console/Failure.ts"
import * as Flags from "../console/flags.ts"
import { listFlags } from "../console/listing.ts"
import { printRows, type View } from "../console/print.ts"
import { confirm } from "../console/prompts.ts"
import { fineAmountText } from "../console/text.ts"
import { typedFlag } from "../console/typed.ts"
import { operate } from "../tenant/target.ts"

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

const readFile = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const refuse = () => new Refused({ message: `Cannot read ${path}.` })
  const { size } = yield* Effect.mapError(fs.stat(path), refuse)
  if (size > maxBytes) return yield* new Refused({ message: `${path} exceeds ${maxBytes} bytes.` })
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
    const rates = yield* operate(Effect.flatMap(readFile(file), (bytes) => importRateCard({ file: bytes })))
    yield* Console.error(`Imported ${countText(rates.length)}.`)
  })
).pipe(
  Command.withDescription("Import a rate card. All lines are stored, or none. Equal rates are replaced"),
  Command.withExamples([{ command: "parley rate-cards import eur-2026-10.csv" }])
)

const list = Command.make(
  "list",
  listFlags({}),
  Effect.fn(function* ({ json, limit, quiet }) {
    const all = yield* operate(listRates())
    const rows = all.slice(0, limit)
    yield* printRows(
      view,
      { json, quiet },
      rows,
      rows.length < all.length,
      ({ category, country, currency, validFrom }) => [currency, category, country ?? "*", validFrom].join(" ")
    )
  })
).pipe(Command.withDescription("List the imported rates"))

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
    const removed = yield* operate(removeRates({ currency, validFrom }))
    yield* Console.error(`Removed ${countText(removed)}.`)
  })
).pipe(Command.withDescription("Remove the rates of a currency that start on a day"))

/** Rate card commands. Rates belong to the installation, so these commands use the database. */
export const rateCards = Command.make("rate-cards").pipe(
  Command.withDescription("Prices of chat providers, for operators: import, list, remove"),
  Command.withSubcommands([importCommand, list, remove])
)
