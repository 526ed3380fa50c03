export { ChatSimulator, layer, type RunningChatSimulator, startChatSimulator } from "./ChatSimulator.ts"
export type { DeliveryMisbehaviour, Misbehaviour } from "./Misbehaviour.ts"
export {
  type AutoReply,
  type ChatSimulatorOptions,
  defaultApp,
  defaultNumbers,
  type SimulatedNumber,
  type Webhook
} from "./Options.ts"
export { deliveryBody, signatureOf } from "./Outbox.ts"
export { Act } from "./acts/Act.ts"
export type { CustomerMessage, Writing } from "./inbound/CustomerMessage.ts"
export type { SessionInfo, Signup } from "./signups.ts"
export type { NumberStage, NumberState } from "./world/NumberState.ts"
export type { AcceptedMessage, MessageCall, RefusedMessage, SentDelivery } from "./World.ts"
