import {
  type LibraryTemplate,
  type ProviderConnection,
  type ProviderTemplate,
  samplesOf,
  type TemplateComponents
} from "@parley/domain/messaging"
import { Effect, Stream } from "effect"
import { authorized, keyOf, nextId, type Provider, refused } from "./provider.ts"
import { addFile } from "./media.ts"
import type { WholeChannel } from "./WholeChannel.ts"

/** The only template of the library. */
const library: ReadonlyArray<LibraryTemplate> = [
  {
    id: "7147013345418927",
    name: "delivery_update_1",
    language: "en",
    category: "utility",
    topic: "ORDER_MANAGEMENT",
    useCase: "DELIVERY_UPDATE",
    industries: ["E_COMMERCE"],
    header: null,
    body: "Good news! Your order #{{1}} is on its way to {{2}}. Thank you for your order!",
    bodyTypes: ["TEXT", "ADDRESS"],
    bodyExamples: ["1867", "12 Mill Lane"],
    buttons: []
  }
]

const newTemplate = (
  externalId: string,
  template: Pick<ProviderTemplate, "category" | "components" | "language" | "name" | "timeToLive">
): ProviderTemplate => ({
  ...template,
  externalId,
  status: "pending",
  rejectionReason: null,
  quality: "unknown",
  qualityAt: null,
  announcedCategory: null,
  libraryName: null
})

/** Replaces samples by links, as a provider returns them. */
const withLinks = ({ header, ...components }: TemplateComponents): TemplateComponents => {
  if (header === undefined || !("mediaId" in header) || header.mediaId === undefined) {
    return header === undefined ? components : { ...components, header }
  }
  const { format, mediaId } = header
  return { ...components, header: { format, link: `https://scontent.example/${mediaId}` } }
}

const refusedHandle = refused(100, "give_up", "The handle of a sample is not valid.")

export const makeTemplates = (provider: Provider): WholeChannel["templates"] => {
  const { templates } = provider
  const setStatus = (
    line: ProviderConnection,
    externalIds: ReadonlyArray<string>,
    status: ProviderTemplate["status"]
  ) =>
    Effect.map(authorized(provider, line), () => {
      for (const [key, kept] of templates) {
        if (externalIds.includes(kept.externalId)) templates.set(key, { ...kept, status })
      }
    })
  return {
    submit: Effect.fnUntraced(function* (line, template) {
      yield* authorized(provider, line)
      const key = keyOf(template.name, template.language)
      if (templates.has(key)) return yield* refused(100, "give_up", "There is already such a template.")
      const { category, components, handles, language, name, timeToLive } = template
      if (samplesOf(components).some(({ id }) => !handles.has(id))) return yield* refusedHandle
      const kept = newTemplate(nextId(provider, "5"), {
        category,
        components: withLinks(components),
        language,
        name,
        timeToLive
      })
      templates.set(key, kept)
      return kept
    }),
    uploadSample: (line, { bytes, mimeType }) =>
      Effect.map(authorized(provider, line), () => `4::${addFile(provider, bytes, mimeType)}`),
    submitFromLibrary: Effect.fnUntraced(function* (line, { buttons, category, language, libraryName, name }) {
      yield* authorized(provider, line)
      const key = keyOf(name, language)
      if (templates.has(key)) return yield* refused(100, "give_up", "There is already such a template.")
      const found = library.find((each) => each.name === libraryName)
      if (found === undefined) return yield* refused(100, "give_up", "There is no such template in the library.")
      const kept = newTemplate(nextId(provider, "5"), {
        category,
        components: {
          body: { text: found.body },
          ...(buttons.length === 0 ? {} : { buttons: buttons.map((button) => ({ ...button, text: "Open" })) })
        },
        language,
        name,
        timeToLive: null
      })
      templates.set(key, { ...kept, status: "approved", libraryName })
      return { ...kept, status: "approved" as const }
    }),
    edit: Effect.fnUntraced(function* (line, externalId, { category, components, handles, timeToLive }) {
      yield* authorized(provider, line)
      const found = [...templates].find(([, kept]) => kept.externalId === externalId)
      if (found === undefined) return yield* refused(100, "give_up", "There is no such template.")
      if (samplesOf(components ?? {}).some(({ id }) => !handles.has(id))) return yield* refusedHandle
      const [key, kept] = found
      templates.set(key, {
        ...kept,
        category: category ?? kept.category,
        components: components === null ? kept.components : withLinks(components),
        timeToLive: timeToLive ?? kept.timeToLive,
        status: kept.status === "rejected" ? "pending" : kept.status
      })
    }),
    unpause: Effect.fnUntraced(function* (line, externalId) {
      yield* authorized(provider, line)
      const found = [...templates].find(([, kept]) => kept.externalId === externalId)
      if (found === undefined) return yield* refused(100, "give_up", "There is no such template.")
      templates.set(found[0], { ...found[1], status: "approved" })
    }),
    upsertAuthentication: Effect.fnUntraced(function* (line, { authentication, languages, name, timeToLive }) {
      yield* authorized(provider, line)
      return languages.map((language) => {
        const fields = { name, language, category: "authentication" as const, components: { authentication } }
        const before = templates.get(keyOf(name, language))
        const kept =
          before === undefined
            ? newTemplate(nextId(provider, "5"), { ...fields, timeToLive })
            : { ...before, ...fields, timeToLive: timeToLive ?? before.timeToLive }
        templates.set(keyOf(name, language), kept)
        return { externalId: kept.externalId, language, status: kept.status }
      })
    }),
    archive: (line, externalIds) => setStatus(line, externalIds, "archived"),
    unarchive: (line, externalIds) => setStatus(line, externalIds, "approved"),
    library: (line, { industry, language, search = "", topic, useCase }) =>
      Effect.map(authorized(provider, line), () =>
        library.filter(
          (each) =>
            `${each.name} ${each.body}`.includes(search) &&
            (topic === undefined || each.topic === topic) &&
            (useCase === undefined || each.useCase === useCase) &&
            (industry === undefined || each.industries.includes(industry)) &&
            (language === undefined || each.language === language)
        )
      ),
    remove: Effect.fnUntraced(function* (line, name, externalId) {
      yield* authorized(provider, line)
      const found = [...templates].find(([, kept]) => kept.name === name && kept.externalId === externalId)
      if (found === undefined) return yield* refused(100, "give_up", "There is no such template.")
      templates.delete(found[0])
    }),
    list: (line) =>
      Stream.unwrap(Effect.map(authorized(provider, line), () => Stream.fromIterable([...templates.values()])))
  }
}
