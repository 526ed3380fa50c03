import { buildSchema, type GraphQLSchema } from "graphql"
import { newestDefinitions } from "./schema.ts"

/** Versions of the provider's API that are simulated, the oldest first. Other versions are not found. */
export const apiVersions = ["2026-07", "2026-10"] as const
export type ApiVersion = (typeof apiVersions)[number]

export const defaultApiVersion: ApiVersion = "2026-10"

/** Parts that a version adds. Each is a part of the newest schema. */
const addedBy: { readonly [version in ApiVersion]: ReadonlyArray<RegExp> } = {
  "2026-07": [],
  "2026-10": [
    /^ {4}smsMarketingConsent: .*\n/mu,
    /^ {4}whatsAppMarketingConsent: .*\n/mu,
    /^ {2}type CustomerWhatsAppMarketingConsent \{[^}]*\}\n/mu,
    /^ {2}type CustomerSmsMarketingConsent \{[^}]*\}\n/mu,
    /^ {2}enum CustomerMarketingConsentState \{[^}]*\}\n/mu,
    /^ {4}FULFILLMENT_NOT_REQUIRED\n/mu
  ]
}

/** The simulated part of the schema of a version. */
export const definitionsOf = (version: ApiVersion): string =>
  apiVersions
    .slice(apiVersions.indexOf(version) + 1)
    .flatMap((later) => addedBy[later])
    .reduce((schema, part) => schema.replace(part, ""), newestDefinitions)

/** The version of an address; `null` if it is not simulated. */
export const apiVersionIn = (text: string): ApiVersion | null => apiVersions.find((version) => version === text) ?? null

/** Builds the schemas of all versions, which takes a moment. */
export const makeSchemas = (): { readonly [version in ApiVersion]: GraphQLSchema } => ({
  "2026-07": buildSchema(definitionsOf("2026-07")),
  "2026-10": buildSchema(definitionsOf("2026-10"))
})
