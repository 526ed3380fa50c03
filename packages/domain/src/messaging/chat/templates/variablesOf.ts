import type { TemplateComponents, TemplateVariable } from "../MessageTemplate.ts"
import { placeholdersIn } from "./placeholders.ts"

const ofHeader = ({ header }: TemplateComponents): ReadonlyArray<TemplateVariable> => {
  if (header === undefined) return []
  return header.format === "text"
    ? placeholdersIn(header.text).map((name) => ({ key: `header.${name}`, in: "header", kind: "text" }))
    : [{ key: "header", in: "header", kind: header.format }]
}

const ofButtons = ({ buttons = [] }: TemplateComponents): ReadonlyArray<TemplateVariable> =>
  buttons.flatMap((button, at): ReadonlyArray<TemplateVariable> => {
    if (button.type === "copy_code") return [{ key: `buttons.${at}`, in: "buttons", kind: "code" }]
    return button.type === "url" && placeholdersIn(button.url).length > 0
      ? [{ key: `buttons.${at}`, in: "buttons", kind: "url_suffix" }]
      : []
  })

/** What has to be filled in when a template of these components is sent. */
export const variablesOf = (components: TemplateComponents): ReadonlyArray<TemplateVariable> => [
  ...ofHeader(components),
  ...placeholdersIn(components.body.text).map((name): TemplateVariable => ({
    key: `body.${name}`,
    in: "body",
    kind: "text"
  })),
  ...ofButtons(components)
]

/** Whether the variables of the texts are named, and not numbered. */
export const isNamedStyle = ({ body, header }: TemplateComponents): boolean =>
  [...placeholdersIn(body.text), ...(header?.format === "text" ? placeholdersIn(header.text) : [])].some(
    (name) => !/^\d+$/u.test(name)
  )
