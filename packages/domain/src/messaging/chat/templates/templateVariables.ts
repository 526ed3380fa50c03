import type {
  MessageTemplate,
  TemplateButton,
  TemplateComponents,
  TemplateInputs,
  TemplatePreview,
  TemplateVariable
} from "../MessageTemplate.ts"

const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/gu

/** Returns the distinct names of the placeholders of a text, in order. */
export const findPlaceholders = (text: string): ReadonlyArray<string> => [
  ...new Set(Array.from(text.matchAll(placeholder), ([, name = ""]) => name))
]

/** Fills the placeholders of the text. Placeholders without a value stay. */
const fillPlaceholders = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(placeholder, (whole, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? whole) : whole))

/** Whether a placeholder is numbered, as in `{{1}}`. */
export const isNumberedPlaceholder = (name: string): boolean => /^[1-9]\d?$/u.test(name)

/** Whether a placeholder is named, as in `{{first_name}}`. */
export const isNamedPlaceholder = (name: string): boolean => /^[a-z][a-z0-9_]{0,59}$/u.test(name)

const headerVariables = ({ header }: TemplateComponents): ReadonlyArray<TemplateVariable> => {
  if (header === undefined) return []
  return header.format === "text"
    ? findPlaceholders(header.text).map((name) => ({ key: `header.${name}`, in: "header", kind: "text" }))
    : [{ key: "header", in: "header", kind: header.format }]
}

const buttonVariables = ({ buttons = [] }: TemplateComponents): ReadonlyArray<TemplateVariable> =>
  buttons.flatMap((button, at): ReadonlyArray<TemplateVariable> => {
    if (button.type === "copy_code") return [{ key: `buttons.${at}`, in: "buttons", kind: "code" }]
    return button.type === "url" && findPlaceholders(button.url).length > 0
      ? [{ key: `buttons.${at}`, in: "buttons", kind: "url_suffix" }]
      : []
  })

/** Returns the variables to fill when a template of these components is sent. */
export const findTemplateVariables = (components: TemplateComponents): ReadonlyArray<TemplateVariable> => [
  ...headerVariables(components),
  ...findPlaceholders(components.body.text).map((name): TemplateVariable => ({
    key: `body.${name}`,
    in: "body",
    kind: "text"
  })),
  ...buttonVariables(components)
]

/** Whether the texts use named placeholders instead of numbered ones. */
export const isNamedStyle = ({ body, header }: TemplateComponents): boolean =>
  [...findPlaceholders(body.text), ...(header?.format === "text" ? findPlaceholders(header.text) : [])].some(
    (name) => !/^\d+$/u.test(name)
  )

const valuesByPrefix = (prefix: string, values: TemplateInputs) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : []
    )
  )

const toPreviewButton = (button: TemplateButton, value: string | undefined): TemplatePreview["buttons"][number] => {
  switch (button.type) {
    case "quick_reply":
      return { type: button.type, text: button.text, value: null }
    case "url":
      return {
        type: button.type,
        text: button.text,
        value: fillPlaceholders(button.url, value === undefined ? {} : { "1": value })
      }
    case "phone_number":
      return { type: button.type, text: button.text, value: button.phone }
    case "copy_code":
      return { type: button.type, text: "Copy code", value: value ?? button.example }
  }
}

/** Renders the template for the customer. Variables without a value stay as placeholders. */
export const toTemplatePreview = ({ components }: MessageTemplate, values: TemplateInputs): TemplatePreview => {
  const { body, buttons = [], footer, header } = components
  return {
    header:
      header === undefined
        ? null
        : header.format === "text"
          ? fillPlaceholders(header.text, valuesByPrefix("header.", values))
          : `[${header.format}]`,
    body: fillPlaceholders(body.text, valuesByPrefix("body.", values)),
    footer: footer?.text ?? null,
    buttons: buttons.map((button, at) => toPreviewButton(button, values[`buttons.${at}`]))
  }
}
