import { Option, Schema } from "effect"
import { TemplateComponents, type TemplateHeader } from "../MessageTemplate.ts"
import type { TemplatePart } from "../TemplateApproval.ts"
import { findPlaceholders } from "./templateVariables.ts"

type HeaderPart = Extract<TemplatePart, { readonly type: "header" }>

const headerPart = (header: TemplateHeader): TemplatePart => {
  switch (header.format) {
    case "text": {
      const { examples = {}, text } = header
      const example = findPlaceholders(text).flatMap((name) => examples[name] ?? [])
      return { type: "header", format: "text", text, example }
    }
    case "location":
      return { type: "header", format: "location", text: null, example: [] }
    default:
      return {
        type: "header",
        format: header.format,
        text: null,
        example: header.example === undefined ? [] : [header.example]
      }
  }
}

/** Converts components to the provider's form. */
export const toProviderComponents = ({
  body,
  buttons,
  footer,
  header
}: TemplateComponents): ReadonlyArray<TemplatePart> => [
  ...(header === undefined ? [] : [headerPart(header)]),
  { type: "body", text: body.text, example: body.examples ?? {} },
  ...(footer === undefined ? [] : [{ type: "footer" as const, text: footer.text }]),
  ...(buttons === undefined
    ? []
    : [
        {
          type: "buttons" as const,
          buttons: buttons.map((button) =>
            button.type === "url"
              ? { type: "url" as const, text: button.text, url: button.url, example: button.example ?? null }
              : button
          )
        }
      ])
]

const toHeader = ({ example, format, text }: HeaderPart) => {
  if (format === "location") return { format }
  if (format !== "text") return example[0] === undefined ? { format } : { format, example: example[0] }
  const examples = Object.fromEntries(
    findPlaceholders(text ?? "").flatMap((name, at) => (example[at] === undefined ? [] : [[name, example[at]]]))
  )
  return { format, text: text ?? "", ...(Object.keys(examples).length === 0 ? {} : { examples }) }
}

const toComponent = (part: TemplatePart): Readonly<Record<string, unknown>> => {
  switch (part.type) {
    case "header":
      return { header: toHeader(part) }
    case "body":
      return {
        body: { text: part.text, ...(Object.keys(part.example).length === 0 ? {} : { examples: part.example }) }
      }
    case "footer":
      return { footer: { text: part.text } }
    case "buttons":
      return part.buttons.length === 0
        ? {}
        : {
            buttons: part.buttons.map((button) => {
              if (button.type !== "url") return button
              const { example, ...rest } = button
              return example === null ? rest : { ...rest, example }
            })
          }
  }
}

const decode = Schema.decodeUnknownOption(TemplateComponents)

/** Converts the provider's parts to components; `null` if a part is unsupported. */
export const toTemplateComponents = (parts: ReadonlyArray<TemplatePart>): TemplateComponents | null =>
  Option.getOrNull(decode(Object.assign({}, ...parts.map(toComponent))))
