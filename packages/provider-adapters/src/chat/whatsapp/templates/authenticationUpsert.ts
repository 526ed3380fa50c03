import type { AuthenticationUpsert, UpsertedTemplate } from "@parley/domain/messaging"
import { idAt, listAt, textAt } from "../../../json.ts"
import { listedStatus, timeToLiveOut } from "../templates.ts"
import { componentsOut } from "./componentsOut.ts"
import { languageIn, languageOut } from "./languages.ts"

/** Builds the upsert of authentication templates in several languages. */
export const upsertOut = ({ authentication, languages, name, timeToLive }: AuthenticationUpsert) => ({
  name,
  languages: languages.map(languageOut),
  category: "AUTHENTICATION",
  ...timeToLiveOut(timeToLive),
  components: componentsOut({ authentication }, new Map())
})

/** Reads the answer to an upsert; `null` without a list of templates. */
export const upsertedIn = (body: unknown): ReadonlyArray<UpsertedTemplate> | null => {
  const templates = listAt(body, "data").flatMap((template) => {
    const [externalId, language] = [idAt(template, "id"), textAt(template, "language")]
    return externalId === null || language === null
      ? []
      : [{ externalId, language: languageIn(language), status: listedStatus(textAt(template, "status")) }]
  })
  return templates.length === 0 ? null : templates
}
