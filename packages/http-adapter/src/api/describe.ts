import { Context } from "effect"
import { OpenApi } from "effect/http-api"
import type { Media } from "./openapi/Document.ts"

/** What the reference says of an endpoint: its name in generated clients, a short line, a paragraph when there is more to know. */
export const describe = (operationId: string, summary: string, description?: string) =>
  OpenApi.annotations({ identifier: operationId, summary, ...(description !== undefined && { description }) })

/** What the reference says of an area. */
export const area = (title: string, description: string) => OpenApi.annotations({ title, description })

/** What an endpoint answers with besides its schemas, by media type: its handler writes it. */
export const AlsoAnswers = Context.Reference<Readonly<Record<string, Media>>>("@parley/http-adapter/AlsoAnswers", {
  defaultValue: () => ({})
})

/** Says what else an endpoint answers with. */
export const alsoAnswers = (media: Readonly<Record<string, Media>>) => Context.make(AlsoAnswers, media)

/** What an endpoint reads besides JSON, by media type: its handler takes it in. */
export const AlsoReads = Context.Reference<Readonly<Record<string, Media>>>("@parley/http-adapter/AlsoReads", {
  defaultValue: () => ({})
})

/** Whether an endpoint reads a body whatever its media type says. */
export const ReadsAnyType = Context.Reference<boolean>("@parley/http-adapter/ReadsAnyType", {
  defaultValue: () => false
})

/** Says that an endpoint reads a body whatever its media type says. */
export const readsAnyType = Context.make(ReadsAnyType, true)

/** Whether an endpoint admits a session that must change the password first. */
export const AdmitsPasswordChange = Context.Reference<boolean>("@parley/http-adapter/AdmitsPasswordChange", {
  defaultValue: () => false
})

/** Admits sessions that must change the password first. */
export const admitsPasswordChange = Context.make(AdmitsPasswordChange, true)

/** Whether an endpoint waits for a provider before it answers. */
export const AsksProvider = Context.Reference<boolean>("@parley/http-adapter/AsksProvider", {
  defaultValue: () => false
})

/** Says that an endpoint waits for a provider before it answers. */
export const asksProvider = Context.make(AsksProvider, true)

/** Says how the files look that an endpoint reads. */
export const alsoReads = (media: Readonly<Record<string, Media>>) => Context.make(AlsoReads, media)
