import { Page, Timestamp } from "@parley/domain/kernel"
import { Entitlements, Job, JobId, JobKindName, JobState, Organization, User } from "@parley/domain/platform"
import { Effect, Redacted, Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, Public, RequestFaults, WithDocsSession } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, PageQuery, Secret } from "./shapes.ts"

const Jwk = Schema.Struct({
  kty: Schema.String,
  crv: Schema.String,
  x: Schema.String,
  kid: Schema.String,
  alg: Schema.String,
  use: Schema.String
}).annotate({ identifier: "JsonWebKey" })

const Health = Schema.Struct({ status: Schema.Literal("ok") }).annotate({ identifier: "Health" })

const Readiness = Schema.Struct({
  status: Schema.Literal("ok"),
  background: Schema.Literals(["ok", "failing", "off"]).annotate({
    description:
      "Background work of this process: `failing` after a part has failed for 10 seconds, `off` if other processes run it."
  })
}).annotate({ identifier: "Readiness" })

/** Endpoints for operators and other services. */
export class OperationsApi extends HttpApiGroup.make("operations")
  .add(
    HttpApiEndpoint.get("jwks", "/.well-known/jwks.json", {
      success: Schema.Struct({ keys: Schema.Array(Jwk) }).annotate({ identifier: "JsonWebKeySet" })
    })
      .annotateMerge(
        describe(
          "getJsonWebKeys",
          "Get the public keys",
          "Other services verify tokens of Parley with these keys. Keys rotate without logging out any user."
        )
      )
      .middleware(Public),
    HttpApiEndpoint.get("health", "/healthz", { success: Health }).annotateMerge(
      describe("getHealth", "Check liveness", "Answers as long as the process runs.")
    ),
    HttpApiEndpoint.get("ready", "/readyz", { success: Readiness, error: Problems.Unavailable }).annotateMerge(
      describe(
        "getReadiness",
        "Check readiness",
        "Answers 200 while the database is reachable and the process is not stopping. Otherwise, send calls to another process. Background work that fails does not change the status."
      )
    ),
    HttpApiEndpoint.get("startup", "/startupz", { success: Health, error: Problems.Unavailable }).annotateMerge(
      describe(
        "getStartup",
        "Check the start",
        "Answers 200 after the process was ready for the first time. Later outages and a stop do not change the status."
      )
    )
  )
  .annotateMerge(area("Operations", "Health and public keys.")) {}

/** Jobs: work that continues after the answer. */
export class JobsApi extends HttpApiGroup.make("jobs")
  .add(
    HttpApiEndpoint.get("list", "/jobs", {
      query: {
        ...PageQuery,
        state: Schema.optionalKey(JobState).annotateKey({ description: "Only jobs in this state." }),
        kind: Schema.optionalKey(JobKindName).annotateKey({
          description: "Only jobs of this kind, for example `contacts.import`."
        })
      },
      success: Page(Job),
      error: [Problems.PermissionDenied, Problems.CursorInvalid]
    }).annotateMerge(describe("listJobs", "List jobs", "Newest first.")),
    HttpApiEndpoint.get("get", "/jobs/:id", {
      params: idOf(JobId, "job"),
      success: Job,
      error: [Problems.PermissionDenied, Problems.NotFound]
    }).annotateMerge(
      describe("getJob", "Get a job", "Contains the progress, the results so far, and the link to the result.")
    ),
    HttpApiEndpoint.post("cancel", "/jobs/:id/cancel", {
      params: idOf(JobId, "job"),
      success: Job,
      error: [Problems.PermissionDenied, Problems.NotFound]
    })
      .annotateMerge(
        describe(
          "cancelJob",
          "Cancel a job",
          "A queued job is cancelled immediately. A running job stops before its next step and has `cancelRequested` until then. Completed steps stay. A finished job does not change."
        )
      )
      .middleware(Idempotent)
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(
    area("Jobs", "Background work that takes longer than a request, such as an import, with its progress and result.")
  ) {}

/** Accepts any text, because a malformed code gets the same answer as a wrong one. */
const DocsCode = Secret.pipe(Schema.catchDecoding(() => Effect.succeedSome(Redacted.make(""))))

/** Takes a signed-in user to the documentation site. */
export class DocsApi extends HttpApiGroup.make("docs")
  .add(
    HttpApiEndpoint.post("handoff", "/docs/handoff", {
      success: Schema.Struct({ code: Secret, url: Schema.String, expiresAt: Timestamp }).annotate({
        identifier: "DocsHandoff"
      }),
      error: [Problems.PermissionDenied]
    })
      .annotateMerge(
        describe(
          "handOffToDocs",
          "Create a one-time documentation code",
          "The code is valid for one exchange within 60 seconds."
        )
      )
      .middleware(Idempotent)
      .middleware(RequestFaults)
      .middleware(InOrganization),
    HttpApiEndpoint.post("exchange", "/docs/exchange", {
      payload: Schema.Struct({ code: DocsCode }),
      success: Schema.Struct({
        sessionToken: Secret,
        expiresAt: Timestamp,
        user: User,
        organization: Organization
      }).annotate({ identifier: "DocsSessionStart" }),
      error: [Problems.DocsCodeInvalid]
    })
      .annotateMerge(
        describe(
          "exchangeDocsCode",
          "Exchange a one-time documentation code",
          "Answers with a docs session of 10 minutes. A code can be exchanged once. The code and the docs session end with the session that requested the code."
        )
      )
      .middleware(Idempotent)
      .middleware(RequestFaults)
      .middleware(Public),
    HttpApiEndpoint.get("session", "/docs/session", {
      success: Schema.Struct({ user: User, organization: Organization, entitlements: Entitlements }).annotate({
        identifier: "DocsSession"
      })
    })
      .annotateMerge(
        describe("getDocsSession", "Get the docs session", "The user, the organization, and the features of its plan.")
      )
      .middleware(RequestFaults)
      .middleware(WithDocsSession)
  )
  .prefix("/api/v1")
  .annotateMerge(area("Documentation", "The hand-off of a signed-in user to the documentation site.")) {}
