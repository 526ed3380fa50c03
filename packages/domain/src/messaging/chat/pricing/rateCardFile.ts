import { Effect, Schema, Stream } from "effect"
import { Country } from "../../../crm/index.ts"
import { Currency, LocalDate, type ValidationIssue, ValidationFailed } from "../../../kernel/index.ts"
import { type CsvRow, isInvalidRecord, readCsv } from "../../../platform/files/index.ts"
import { type MessageRate, RateCategory, rateKey } from "./RateCards.ts"

const columns = ["country", "category", "currency", "amount", "valid_from"] as const
type Column = (typeof columns)[number]

/** Each value can be multiplied by hundreds of thousands of messages without a loss of precision. */
const amountPattern = /^(\d{1,6})(?:\.(\d{1,4}))?$/u

const fineDigits = 4

/** More rates are not useful: 250 countries, 7 categories and 10 days are 17,500. */
const maxRates = 50_000

/** Maximum number of reported errors. */
const maxIssues = 50

const isCategory = Schema.is(RateCategory)
const isCountry = Schema.is(Country)
const isCurrency = Schema.is(Currency)
const isDay = Schema.is(LocalDate)

/** Converts a decimal number of minor units exactly; `null` if it has more than four decimals. */
export const parseFineAmount = (text: string): number | null => {
  const [matched, whole = "", decimals = ""] = amountPattern.exec(text) ?? []
  return matched === undefined ? null : Number(whole + decimals.padEnd(fineDigits, "0"))
}

/** Countries of a cell: codes separated by spaces, or `*` for all other countries. */
const parseCountries = (text: string): ReadonlyArray<string | null> | null => {
  if (text === "*") return [null]
  const codes = text.split(/\s+/u)
  return codes.every(isCountry) && new Set(codes).size === codes.length ? codes : null
}

const expectations: Readonly<Record<Column, string>> = {
  country: "Expected country codes such as DE or US CA, or * for all other countries",
  category: `Expected one of: ${RateCategory.literals.join(", ")}`,
  currency: "Expected an ISO 4217 currency code such as EUR",
  amount: "Expected minor units with at most 6 digits and 4 decimals, such as 7.3300",
  valid_from: "Expected a day such as 2026-10-01"
}

const toIssue = (line: number, column: Column | null, message: string): ValidationIssue => ({
  pointer: column === null ? `/lines/${line}` : `/lines/${line}/${column}`,
  message: column === null ? `Line ${line}: ${message}` : `Line ${line}, column ${column}: ${message}`
})

/** Returns the rates of a line, one for each country, or the issues of its cells. */
const parseLine = (line: number, cells: CsvRow): ReadonlyArray<MessageRate> | ReadonlyArray<ValidationIssue> => {
  const cell = (column: Column) => (cells[column] ?? "").trim()
  const [category, currency, validFrom] = [cell("category"), cell("currency"), cell("valid_from")]
  const countries = parseCountries(cell("country"))
  const amount = parseFineAmount(cell("amount"))
  const found: Readonly<Record<Column, boolean>> = {
    country: countries !== null,
    category: isCategory(category),
    currency: isCurrency(currency),
    amount: amount !== null,
    valid_from: isDay(validFrom)
  }
  const wrong = columns.filter((column) => !found[column])
  if (countries === null || amount === null || !isCategory(category) || wrong.length > 0)
    return wrong.map((column) => toIssue(line, column, expectations[column]))
  return countries.map((country) => ({ country, category, currency, amount, validFrom }))
}

const isRate = (parsed: MessageRate | ValidationIssue): parsed is MessageRate => "amount" in parsed

/** Collects the rates of a file. */
class RateCollector {
  readonly issues: Array<ValidationIssue> = []
  private readonly rates = new Map<string, { readonly rate: MessageRate; readonly line: number }>()

  add(line: number, cells: CsvRow) {
    for (const parsed of parseLine(line, cells)) {
      if (isRate(parsed)) this.addRate(line, parsed)
      else this.issues.push(parsed)
    }
  }

  private addRate(line: number, rate: MessageRate) {
    const key = rateKey(rate).join(" ")
    const known = this.rates.get(key)
    if (known === undefined) this.rates.set(key, { rate, line })
    else this.issues.push(toIssue(line, "country", `Line ${known.line} has a rate for ${rate.country ?? "*"} already`))
    if (this.rates.size === maxRates + 1) this.issues.push(toIssue(line, null, `Expected at most ${maxRates} rates`))
  }

  get all(): ReadonlyArray<MessageRate> {
    return Array.from(this.rates.values(), ({ rate }) => rate)
  }
}

const headerIssues = (cells: CsvRow): ReadonlyArray<ValidationIssue> => {
  const names: ReadonlyArray<string> = columns
  return [
    ...columns
      .filter((column) => !Object.hasOwn(cells, column))
      .map((column) => toIssue(1, column, "The column is missing")),
    ...Object.keys(cells)
      .filter((name) => !names.includes(name))
      .map((name) => toIssue(1, null, `Unknown column "${name.slice(0, 50)}". Expected: ${columns.join(", ")}`))
  ]
}

/** Reads a rate card from CSV. All lines are valid, or the result is an error that names line and column of each issue. */
export const readRateCard = Effect.fnUntraced(function* (file: Uint8Array) {
  const collector = new RateCollector()
  const rows = yield* Stream.runCollect(readCsv()(Stream.succeed(file)))
  const first = rows.find((row) => !isInvalidRecord(row))
  const header = first === undefined || isInvalidRecord(first) ? [] : headerIssues(first.cells)
  for (const row of header.length > 0 ? [] : rows) {
    if (isInvalidRecord(row)) collector.issues.push(toIssue(row.line, null, row.fault))
    else collector.add(row.line, row.cells)
  }
  const errors = [...header, ...collector.issues]
  if (errors.length === 0 && collector.all.length === 0) errors.push(toIssue(1, null, "The file has no rates."))
  if (errors.length > 0) return yield* new ValidationFailed({ errors: errors.slice(0, maxIssues) })
  return collector.all
})
