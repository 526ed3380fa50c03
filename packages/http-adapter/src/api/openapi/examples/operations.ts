import type { OperationsApi } from "../../operations.ts"
import type { ExamplesOf } from "./Example.ts"

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
