import { HttpApiGroup } from "effect/http-api"
import { drafts } from "./broadcasts/drafts.ts"
import { planning } from "./broadcasts/planning.ts"
import { results } from "./broadcasts/results.ts"
import { sending } from "./broadcasts/sending.ts"
import { area } from "./describe.ts"
import { InOrganization, RequestFaults } from "./middleware.ts"

/** Broadcasts: one message to many contacts. */
export class BroadcastsApi extends HttpApiGroup.make("broadcasts")
  .add(...drafts, ...planning, ...sending, ...results)
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Broadcasts", "One message to many contacts: drafted, scheduled, sent to each at most once.")) {}
