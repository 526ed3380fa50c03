import {
  deliveryReadingContract,
  mediaTransferContract,
  messageSendingContract,
  numberCheckingContract,
  numberSignupContract,
  templateApprovalContract
} from "@parley/testkit/contracts"
import { Layer } from "effect"
import { sides, simulated } from "./simulated.ts"

const name = "the WhatsApp Cloud API, simulated"
const provider = sides.pipe(Layer.provideMerge(simulated()))

messageSendingContract(name, provider)
mediaTransferContract(name, provider)
numberCheckingContract(name, provider)
templateApprovalContract(name, provider)
numberSignupContract(name, provider)
deliveryReadingContract(name, provider)
