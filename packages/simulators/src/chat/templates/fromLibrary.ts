import { type Fields, listAt, objectAt, refusePlainly, textAt } from "../checks.ts"
import { type LibraryTemplate, library } from "./library.ts"
import type { NewTemplate } from "./life.ts"

const buttonFrom = (source: LibraryTemplate, inputs: ReadonlyArray<Fields>, button: Fields): Fields => {
  const input = inputs.find((each) => each["type"] === button["type"])
  if (button["type"] === "URL") {
    const url = objectAt(input?.["url"], "library_template_button_inputs.url")
    const base = textAt(url["base_url"], "base_url", 2_000)
    return { ...button, url: base, ...(base.includes("{{1}}") ? { example: [url["url_suffix_example"]] } : {}) }
  }
  if (button["type"] !== "PHONE_NUMBER") return button
  return input === undefined
    ? refusePlainly(100, `(#100) The button ${String(button["text"])} of ${source.name} needs a phone number.`)
    : { ...button, phone_number: textAt(input["phone_number"], "phone_number", 20) }
}

/** A template from the library, with the addresses and numbers of the business. */
export const fromLibrary = (businessId: string, fields: Fields): NewTemplate => {
  const name = textAt(fields["name"], "name", 512)
  const language = textAt(fields["language"], "language", 20)
  const source = library.find(
    (template) => template.name === fields["library_template_name"] && template.language === language
  )
  if (source === undefined) return refusePlainly(100, "(#100) The library has no such template in this language.")
  const inputs = listAt(fields["library_template_button_inputs"] ?? [], "library_template_button_inputs", 10, 0).map(
    (input) => objectAt(input, "library_template_button_inputs")
  )
  const buttons = source.buttons.map((button) => buttonFrom(source, inputs, button))
  return {
    businessId,
    name,
    language,
    category: source.category,
    parameterFormat: "POSITIONAL",
    components: [
      ...(source.header === undefined ? [] : [{ type: "HEADER", format: "TEXT", text: source.header }]),
      { type: "BODY", text: source.body, example: { body_text: [source.body_params] } },
      ...(buttons.length === 0 ? [] : [{ type: "BUTTONS", buttons }])
    ],
    sendTtlSeconds: null,
    libraryName: source.name
  }
}
