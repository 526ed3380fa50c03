import { preferredType } from "./preferredType.ts"

/** How an answer of analytics is written. */
export type AnswerFormat = "json" | "csv" | "svg"

/** The media types of the formats. */
export const mediaTypes = {
  json: "application/json",
  csv: "text/csv",
  svg: "image/svg+xml"
} as const satisfies Readonly<Record<AnswerFormat, string>>

const formats = ["json", "csv", "svg"] as const

/** The format that is asked for: by its name, else the one that `Accept` wants most, the first of several, else JSON. */
export const answerFormat = (named: AnswerFormat | undefined, accept: string | undefined): AnswerFormat => {
  if (named !== undefined) return named
  const preferred = preferredType(
    accept ?? "*/*",
    formats.map((format) => mediaTypes[format])
  )
  return formats.find((format) => mediaTypes[format] === preferred) ?? "json"
}
