import {
  cancelJob,
  exchangeDocsCode,
  getDocsSession,
  getJob,
  handOffToDocs,
  Job,
  JobId,
  listJobs
} from "@parley/domain"
import { Redacted } from "effect"
import type { DocsApi, JobsApi, OperationsApi } from "../../operations.ts"
import type { ExamplesOf } from "./Example.ts"
import { ada, at, entitlements, jwt, oneTimeToken, organization, pageOf } from "./samples.ts"

export const operations: ExamplesOf<typeof OperationsApi> = {
  jwks: {
    runs: null,
    answer: {
      keys: [
        {
          kty: "OKP",
          crv: "Ed25519",
          x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
          kid: "01934a10-0000-7099-81b3-829304152637",
          alg: "EdDSA",
          use: "sig"
        }
      ]
    }
  },
  health: { runs: null, answer: { status: "ok" } },
  ready: { runs: null, answer: { status: "ok", background: "ok" } }
}

const running = new Job({
  id: JobId.make("01934b80-1a2b-7c99-8d11-8293041526a7"),
  kind: "contacts.import",
  state: "running",
  progress: { done: 4000, total: 12_500 },
  counts: { created: 3710, updated: 280, bad: 10 },
  error: null,
  errorCode: null,
  resultUrl: null,
  cancelRequested: false,
  createdBy: { kind: "user", id: ada.id },
  createdAt: at("10:15:00.000"),
  startedAt: at("10:15:00.480"),
  finishedAt: null,
  updatedAt: at("10:15:21.070")
})

export const jobs: ExamplesOf<typeof JobsApi> = {
  list: { runs: listJobs, answer: pageOf(running) },
  get: { runs: getJob, answer: running },
  cancel: { runs: cancelJob, answer: new Job({ ...running, cancelRequested: true, updatedAt: at("10:15:22.000") }) }
}

export const docs: ExamplesOf<typeof DocsApi> = {
  handoff: {
    runs: handOffToDocs,
    answer: {
      code: oneTimeToken,
      url: `https://parley.example/docs#code=${Redacted.value(oneTimeToken)}`,
      expiresAt: at("09:31:00.000")
    }
  },
  exchange: {
    runs: exchangeDocsCode,
    request: { code: oneTimeToken },
    answer: { sessionToken: jwt, expiresAt: at("09:40:30.000"), user: ada, organization }
  },
  session: { runs: getDocsSession, answer: { user: ada, organization, entitlements } }
}
