import type { Schema } from "effect"
import { type LocaleFormat, makeLocaleFormat, makePlainLocaleFormat } from "../LocaleFormat.ts"
import { Structure } from "./Structure.ts"
import { parseSource, type Vocabulary } from "./analyse.ts"
import { liquid, withLocaleFormat } from "./filters.ts"
import { outputContent, soleOutput } from "./liquidOutputs.ts"
import { liquidScope, LocalDay, type NamedPath, type ScopeValue } from "./liquidScope.ts"

/** Variables of a Liquid text, with any names. */
export interface LiquidContext {
  readonly vocabulary: Vocabulary<NamedPath>
  readonly lookup: (path: NamedPath) => ScopeValue
  /** Language of numbers and dates; `null` for language-neutral formats. */
  readonly language: string | null
}

/** Whether a source is exactly one output, so that its value keeps its type. */
export const isSoleOutput = (source: string): boolean => soleOutput(source) !== null

/** Rendered value, or the variable that is empty or invalid (`null` if unknown). */
export type LiquidOutcome<A> =
  | { readonly kind: "made"; readonly value: A }
  | { readonly kind: "missing"; readonly variable: string | null }

const isEmpty = (value: ScopeValue): value is null =>
  value === null || (typeof value === "string" && value.trim() === "")

const missing = (path: NamedPath | undefined): LiquidOutcome<never> => ({
  kind: "missing",
  variable: path === undefined ? null : path.join(".")
})

const renderOutcome = <A>(
  source: string,
  { language, lookup, vocabulary }: LiquidContext,
  make: (scope: object, templates: ReturnType<typeof liquid.parse>) => A
): LiquidOutcome<A> => {
  const { faults, named, required, templates } = parseSource(source, vocabulary)
  if (faults.length > 0) return missing(undefined)
  const empty = required.find((path) => isEmpty(lookup(path)))
  if (empty !== undefined) return missing(empty)
  try {
    const scope = liquidScope(named, lookup)
    const localized = language === null ? scope : withLocaleFormat(scope, makeLocaleFormat(language))
    return { kind: "made", value: make(localized, templates) }
  } catch {
    // A filter rejected its input. With several variables, the library does not report which one.
    return missing(named.length === 1 ? named[0] : undefined)
  }
}

/** Renders a source as text. */
export const renderLiquidText = (source: string, over: LiquidContext): LiquidOutcome<string> =>
  source.includes("{{") || source.includes("{%")
    ? renderOutcome(source, over, (scope, templates) => String(liquid.renderSync(templates, scope)))
    : { kind: "made", value: source }

const urlFormat: LocaleFormat = {
  ...makePlainLocaleFormat(),
  escape: (text) => encodeURIComponent(text.toWellFormed())
}

/** Renders a source as a URL. Each output is percent-encoded, so a value cannot add a path segment or a parameter. */
export const renderLiquidUrl = (source: string, over: Omit<LiquidContext, "language">): LiquidOutcome<string> =>
  renderOutcome(source, { ...over, language: null }, (scope, templates) =>
    String(liquid.renderSync(templates, withLocaleFormat(scope, urlFormat)))
  )

const jsonOf = (value: unknown): Schema.Json => {
  if (value instanceof Structure) return Structure.jsonOf(value)
  if (value instanceof LocalDay) return value.text
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null
}

/** Renders a sole output as a typed value, and any other source as text. */
export const renderLiquidValue = (source: string, over: LiquidContext): LiquidOutcome<Schema.Json> => {
  const output = soleOutput(source)
  if (output === null) return renderLiquidText(source, over)
  return renderOutcome(source, over, (scope) => jsonOf(liquid.evalValueSync(outputContent(output), scope)))
}
