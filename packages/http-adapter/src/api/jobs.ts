import { Job, JobId, JobKindName, JobState, Page } from "@parley/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, PageQuery } from "./shapes.ts"

/** Jobs: work that goes on after the answer. */
export class JobsApi extends HttpApiGroup.make("jobs")
  .add(
    HttpApiEndpoint.get("list", "/jobs", {
      query: {
        ...PageQuery,
        state: Schema.optionalKey(JobState).annotateKey({ description: "Only jobs in this state." }),
        kind: Schema.optionalKey(JobKindName).annotateKey({
          description: "Only jobs of this kind, such as `contacts.import`."
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
      describe("getJob", "Read a job", "Says how far it is, what came of it so far, and where the result is.")
    ),
    HttpApiEndpoint.post("cancel", "/jobs/:id/cancel", {
      params: idOf(JobId, "job"),
      success: Job,
      error: [Problems.PermissionDenied, Problems.NotFound]
    })
      .annotateMerge(
        describe(
          "cancelJob",
          "Stop a job",
          "A job that waits is cancelled at once; one that runs stops before its next step, and shows `cancelRequested` until then. What it has done stays done. A finished job stays as it is."
        )
      )
      .middleware(Idempotent)
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(
    area("Jobs", "Work that takes longer than a request, such as an import: how far it is, and what came of it.")
  ) {}
