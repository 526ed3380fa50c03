import { clientContract } from "./client.contract.ts"
import { login, make } from "./lightAsEffect.ts"

clientContract({ name: "the light client", make, login })
