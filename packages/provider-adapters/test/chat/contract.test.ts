import { chatChannelContract } from "@parley/testkit/contracts"
import { Layer } from "effect"
import { side, simulated } from "./simulated.ts"

chatChannelContract("the WhatsApp Cloud API, simulated", side.pipe(Layer.provideMerge(simulated())))
