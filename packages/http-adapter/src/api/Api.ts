import { HttpApi, OpenApi } from "effect/http-api"
import { AuditApi } from "./audit.ts"
import { AccountApi, IdentityApi, SessionsApi, TokensApi } from "./auth.ts"
import { AutomationsApi } from "./automations.ts"
import { DocsApi } from "./docs.ts"
import { EventsApi } from "./events.ts"
import { OperationsApi } from "./operations.ts"
import { MembersApi, OrganizationApi } from "./organization.ts"

const strict = { errors: "all", onExcessProperty: "error" } as const

/** The whole contract: every endpoint, with what it takes, what it answers and how it fails. */
export class Api extends HttpApi.make("parley")
  .add(
    SessionsApi,
    AccountApi,
    IdentityApi,
    TokensApi,
    OrganizationApi,
    MembersApi,
    AutomationsApi,
    EventsApi,
    AuditApi,
    DocsApi,
    OperationsApi
  )
  .annotate(HttpApi.PayloadParseOptions, strict)
  .annotate(HttpApi.QueryParseOptions, strict)
  .annotate(HttpApi.HeadersParseOptions, { errors: "all" })
  .annotateMerge(
    OpenApi.annotations({
      title: "Parley",
      version: "1.0.0",
      summary: "The administration API for customer messaging and commerce.",
      description:
        "One inbox for a team over its chat numbers, contacts and tags, broadcasts, analytics, stores and automations, for many organizations at once.",
      license: { name: "MIT", url: "https://opensource.org/license/mit" }
    })
  ) {}
