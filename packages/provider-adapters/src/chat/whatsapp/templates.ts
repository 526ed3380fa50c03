import type { ProviderTemplate, TemplatePart, TemplateSubmission } from "@parley/domain"
import { at, idAt, listAt, textAt } from "../../json.ts"
import { undocumentedTemplateEvents } from "./assumptions.ts"
import { languageIn, languageOut } from "./outgoing.ts"

type Part<Type extends TemplatePart["type"]> = Extract<TemplatePart, { readonly type: Type }>
type Button = Part<"buttons">["buttons"][number]

const variableNames = (text: string) => Array.from(text.matchAll(/\{\{\s*(\w+)\s*\}\}/gu), ([, name = ""]) => name)

const headerExample = ({ example, format, text }: Part<"header">, named: boolean) => {
  if (example.length === 0) return {}
  if (format !== "text") return { example: { header_handle: example } }
  const names = variableNames(text ?? "")
  return named
    ? {
        example: {
          header_text_named_params: example.map((value, index) => ({ param_name: names[index] ?? "", example: value }))
        }
      }
    : { example: { header_text: example } }
}

const bodyExample = ({ example }: Part<"body">, named: boolean) => {
  const entries = Object.entries(example)
  if (entries.length === 0) return {}
  return named
    ? { example: { body_text_named_params: entries.map(([name, value]) => ({ param_name: name, example: value })) } }
    : {
        example: {
          body_text: [entries.toSorted(([one], [other]) => Number(one) - Number(other)).map(([, value]) => value)]
        }
      }
}

const buttonOut = (button: Button) => {
  switch (button.type) {
    case "quick_reply":
      return { type: "QUICK_REPLY", text: button.text }
    case "url": {
      const { example, text, url } = button
      return { type: "URL", text, url, ...(example === null ? {} : { example: [example] }) }
    }
    case "phone_number":
      return { type: "PHONE_NUMBER", text: button.text, phone_number: button.phone }
    case "copy_code":
      return { type: "COPY_CODE", example: button.example }
  }
}

const partOut = (part: TemplatePart, named: boolean) => {
  switch (part.type) {
    case "header":
      return {
        type: "HEADER",
        format: part.format.toUpperCase(),
        ...(part.text === null ? {} : { text: part.text }),
        ...headerExample(part, named)
      }
    case "body":
      return { type: "BODY", text: part.text, ...bodyExample(part, named) }
    case "footer":
      return { type: "FOOTER", text: part.text }
    case "buttons":
      return { type: "BUTTONS", buttons: part.buttons.map(buttonOut) }
  }
}

/** Builds the submission of a template. */
export const templateOut = ({ category, language, name, named, parts }: TemplateSubmission) => ({
  name,
  language: languageOut(language),
  category: category.toUpperCase(),
  parameter_format: named ? "NAMED" : "POSITIONAL",
  components: parts.map((part) => partOut(part, named))
})

const texts = (values: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  values.filter((value) => typeof value === "string")

const formats = ["text", "image", "video", "document", "location"] as const

const headerIn = (component: unknown): TemplatePart | null => {
  const format = formats.find((known) => known.toUpperCase() === textAt(component, "format"))
  if (format === undefined) return null
  const named = listAt(component, "example", "header_text_named_params").map((entry) => at(entry, "example"))
  const plain = listAt(component, "example", format === "text" ? "header_text" : "header_handle")
  return { type: "header", format, text: textAt(component, "text"), example: texts([...plain, ...named]) }
}

const bodyIn = (component: unknown): TemplatePart => {
  const [first] = listAt(component, "example", "body_text")
  const positional = texts(Array.isArray(first) ? first : []).map((value, index) => [String(index + 1), value] as const)
  const named = listAt(component, "example", "body_text_named_params").flatMap((entry) => {
    const name = textAt(entry, "param_name")
    return name === null ? [] : [[name, textAt(entry, "example") ?? ""] as const]
  })
  return { type: "body", text: textAt(component, "text") ?? "", example: Object.fromEntries([...positional, ...named]) }
}

const buttonIn = (button: unknown): Button | null => {
  const text = textAt(button, "text") ?? ""
  switch (textAt(button, "type")) {
    case "QUICK_REPLY":
      return { type: "quick_reply", text }
    case "URL":
      return {
        type: "url",
        text,
        url: textAt(button, "url") ?? "",
        example: texts(listAt(button, "example"))[0] ?? null
      }
    case "PHONE_NUMBER":
      return { type: "phone_number", text, phone: textAt(button, "phone_number") ?? "" }
    case "COPY_CODE":
      return { type: "copy_code", example: textAt(button, "example") ?? texts(listAt(button, "example"))[0] ?? "" }
    default:
      return null
  }
}

/** Returns all parts, or `null` if one is unknown, because sending depends on the positions of all parts. */
const whole = <A>(parts: ReadonlyArray<A | null>): ReadonlyArray<A> | null => {
  const known = parts.filter((part) => part !== null)
  return known.length === parts.length ? known : null
}

const buttonsIn = (component: unknown): TemplatePart | null => {
  const buttons = whole(listAt(component, "buttons").map(buttonIn))
  return buttons === null ? null : { type: "buttons", buttons }
}

const partIn = (component: unknown): TemplatePart | null => {
  switch (textAt(component, "type")) {
    case "HEADER":
      return headerIn(component)
    case "BODY":
      return bodyIn(component)
    case "FOOTER":
      return { type: "footer", text: textAt(component, "text") ?? "" }
    case "BUTTONS":
      return buttonsIn(component)
    default:
      return null
  }
}

/** Reads the status of a template from an event or a status; `undefined` if unknown. */
export const templateStatus = (event: string | null): ProviderTemplate["status"] | null | undefined => {
  switch (event) {
    case "APPROVED":
    case "UNARCHIVED":
      return "approved"
    case "REJECTED":
      return "rejected"
    case "DISABLED":
    case "ARCHIVED":
      return "disabled"
    default:
      return event === null ? undefined : undocumentedTemplateEvents.get(event)
  }
}

export const templateCategory = (category: string | null): ProviderTemplate["category"] | null => {
  const known = (["marketing", "utility", "authentication"] as const).find((name) => name === category?.toLowerCase())
  return known ?? null
}

/** Quality rating of a number or a template. */
export const quality = (score: string | null): ProviderTemplate["quality"] => {
  const known = (["green", "yellow", "red"] as const).find((name) => name === score?.toLowerCase())
  return known ?? "unknown"
}

/** Reason of a rejection. The provider writes NONE if it has no reason. */
export const rejectionReason = (reason: string | null): string | null => (reason === "NONE" ? null : reason)

/** Reads a template of the provider. Returns nothing if a required field is missing. */
export const templateIn = (template: unknown): ReadonlyArray<ProviderTemplate> => {
  const externalId = idAt(template, "id")
  const name = textAt(template, "name")
  const language = textAt(template, "language")
  const category = templateCategory(textAt(template, "category"))
  if (externalId === null || name === null || language === null || category === null) return []
  return [
    {
      externalId,
      name,
      language: languageIn(language),
      category,
      named: textAt(template, "parameter_format") === "NAMED",
      parts: whole(listAt(template, "components").map(partIn)),
      status: templateStatus(textAt(template, "status")) ?? "pending",
      rejectionReason: rejectionReason(textAt(template, "rejected_reason")),
      quality: quality(textAt(template, "quality_score", "score"))
    }
  ]
}
