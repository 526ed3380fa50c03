import { type Fields, refuseForUser } from "../checks.ts"
import type { SubmissionRules } from "./rules.ts"
import { badHeader, refuseWithoutCatalog, subcodes } from "./subcodes.ts"
import { checkHeaderText, type ParameterFormat } from "./textRules.ts"

const fileTypes: Readonly<Record<string, RegExp>> = {
  IMAGE: /^image\/(?:jpe?g|png)$/u,
  VIDEO: /^video\/mp4$/u,
  DOCUMENT: /^application\/pdf$/u,
  GIF: /^video\/mp4$/u
}

export interface HeaderRules {
  readonly fileOfHandle: SubmissionRules["fileOfHandle"]
  readonly hasCatalog: boolean
  readonly formats: ReadonlyArray<string>
}

const maxGifBytes = 3.5 * 1_048_576

const checkHandle = (component: Fields, kind: string, pattern: RegExp, { fileOfHandle }: HeaderRules) => {
  const example = component["example"]
  const handles: unknown =
    typeof example === "object" && example !== null ? Reflect.get(example, "header_handle") : null
  const handle: unknown = Array.isArray(handles) ? handles[0] : undefined
  const file = typeof handle === "string" ? fileOfHandle(handle) : undefined
  const isTooLarge = kind === "GIF" && (file?.fileLength ?? 0) > maxGifBytes
  if (file === undefined || !pattern.test(file.fileType) || isTooLarge) {
    refuseForUser(
      subcodes.headerHandle,
      "Invalid Header Handle",
      "The header needs an example: a handle of the Resumable Upload API for a file of the right type."
    )
  }
}

/** Checks a header, and writes its format in capitals. */
export const checkHeader = (component: Fields, format: ParameterFormat, rules: HeaderRules): Fields => {
  const kind = String(component["format"] ?? "").toUpperCase()
  if (!rules.formats.includes(kind))
    return badHeader(`The format of the header must be one of ${rules.formats.join(", ")}.`)
  const pattern = fileTypes[kind]
  if (kind === "PRODUCT" && !rules.hasCatalog) refuseWithoutCatalog()
  if (kind === "TEXT") checkHeaderText(component, format)
  else if (pattern !== undefined) checkHandle(component, kind, pattern, rules)
  return { ...component, format: kind }
}
