import type { LibraryButtonInput, LibraryQuery, LibrarySubmission, LibraryTemplate } from "@parley/domain/messaging"
import { idAt, listAt, textAt, textsIn } from "../../../json.ts"
import { templateCategory } from "../templates.ts"
import { languageIn, languageOut } from "./languages.ts"

/** Reads a template of the library. Returns nothing if a required field is missing. */
export const libraryTemplateIn = (template: unknown): ReadonlyArray<LibraryTemplate> => {
  const name = textAt(template, "name")
  const language = textAt(template, "language")
  const category = templateCategory(textAt(template, "category"))
  if (name === null || language === null || category === null) return []
  return [
    {
      id: idAt(template, "id"),
      name,
      language: languageIn(language),
      category,
      topic: textAt(template, "topic"),
      useCase: textAt(template, "usecase"),
      industries: textsIn(listAt(template, "industry")),
      header: textAt(template, "header"),
      body: textAt(template, "body") ?? "",
      bodyTypes: textsIn(listAt(template, "body_param_types")),
      bodyExamples: textsIn(listAt(template, "body_params")),
      buttons: listAt(template, "buttons").map((button) => ({
        type: textAt(button, "type")?.toLowerCase() ?? "unknown",
        text: textAt(button, "text"),
        url: textAt(button, "url"),
        phone: textAt(button, "phone_number")
      }))
    }
  ]
}

/** Builds the filters of the library. */
export const libraryQueryOut = (query: LibraryQuery): Readonly<Record<string, string>> => {
  const { industry, language, search, topic, useCase } = query
  return Object.fromEntries(
    Object.entries({
      search,
      topic,
      usecase: useCase,
      industry,
      language: language === undefined ? undefined : languageOut(language)
    }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  )
}

const buttonOut = (button: LibraryButtonInput) =>
  button.type === "url"
    ? {
        type: "URL",
        url: {
          base_url: button.url,
          ...(button.example === undefined ? {} : { url_suffix_example: button.example })
        }
      }
    : { type: "PHONE_NUMBER", phone_number: button.phone }

/** Builds the creation from a template of the library. */
export const librarySubmissionOut = ({ buttons, category, language, libraryName, name }: LibrarySubmission) => ({
  name,
  language: languageOut(language),
  category: category.toUpperCase(),
  library_template_name: libraryName,
  ...(buttons.length === 0 ? {} : { library_template_button_inputs: buttons.map(buttonOut) })
})
