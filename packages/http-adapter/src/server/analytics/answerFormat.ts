import { acceptsType } from "../acceptsType.ts"

/** How an answer of analytics is written. */
export type AnswerFormat = "json" | "csv" | "svg"

/** The media types of the formats, the one first that is given where several are accepted. */
export const mediaTypes: Readonly<Record<AnswerFormat, string>> = {
  json: "application/json",
  csv: "text/csv",
  svg: "image/svg+xml"
}

/** The format that is asked for: by its name, else by `Accept`, else JSON. */
export const answerFormat = (named: AnswerFormat | undefined, accept: string | undefined): AnswerFormat =>
  named ?? (["json", "csv", "svg"] as const).find((format) => acceptsType(accept, mediaTypes[format])) ?? "json"
