import type { MessageTemplate, TemplateButton, TemplateInputs, TemplatePreview } from "../MessageTemplate.ts"
import { filledIn } from "./placeholders.ts"

const under = (prefix: string, values: TemplateInputs) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), value]] : []
    )
  )

const buttonOf = (button: TemplateButton, value: string | undefined): TemplatePreview["buttons"][number] => {
  switch (button.type) {
    case "quick_reply":
      return { type: button.type, text: button.text, value: null }
    case "url":
      return {
        type: button.type,
        text: button.text,
        value: filledIn(button.url, value === undefined ? {} : { "1": value })
      }
    case "phone_number":
      return { type: button.type, text: button.text, value: button.phone }
    case "copy_code":
      return { type: button.type, text: "Copy code", value: value ?? button.example }
  }
}

/** The template as the customer would see it. Variables without a value stay as they are written. */
export const previewOf = ({ components }: MessageTemplate, values: TemplateInputs): TemplatePreview => {
  const { body, buttons = [], footer, header } = components
  return {
    header:
      header === undefined
        ? null
        : header.format === "text"
          ? filledIn(header.text, under("header.", values))
          : `[${header.format}]`,
    body: filledIn(body.text, under("body.", values)),
    footer: footer?.text ?? null,
    buttons: buttons.map((button, at) => buttonOf(button, values[`buttons.${at}`]))
  }
}
