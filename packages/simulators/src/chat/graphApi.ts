import { Effect } from "effect"
import type { HttpClient } from "effect/http"
import type { Timeline } from "../Timeline.ts"
import { Refused } from "./checks.ts"
import type { Events } from "./events.ts"
import type { Files } from "./files.ts"
import { makeAccess, unknownObject } from "./graph/access.ts"
import { makeAccounts } from "./graph/accounts.ts"
import { answerOf, type Call, type Handler, makeScripted, type Request, type Response } from "./graph/Call.ts"
import { makeVerification } from "./graph/callbacks.ts"
import { makeFlows } from "./graph/flows.ts"
import { makeGroupCalls } from "./graph/groups.ts"
import { makeHealth } from "./graph/health.ts"
import { makeMedia } from "./graph/media.ts"
import { makeMessages } from "./graph/messages.ts"
import { makeNodes } from "./graph/nodes.ts"
import { makeNumbers } from "./graph/numbers.ts"
import { makeRegistration } from "./graph/registration.ts"
import { makeSettings } from "./graph/settings.ts"
import { makeSignup } from "./graph/signup.ts"
import { makeTemplates } from "./graph/templates.ts"
import { makeUploads } from "./graph/uploads.ts"
import { withUsage } from "./graph/usage.ts"
import type { Script } from "./Misbehaviour.ts"
import type { ChatSimulatorOptions } from "./Options.ts"
import type { Simulation } from "./Simulation.ts"
import type { TemplateLife } from "./templates/life.ts"
import type { World } from "./World.ts"

export interface GraphParts {
  readonly world: World
  readonly timeline: Timeline
  readonly simulation: Simulation
  readonly script: Script
  readonly events: Events
  readonly files: Files
  readonly life: TemplateLife
  readonly client: HttpClient.HttpClient
  readonly options: ChatSimulatorOptions
}

/** Paths whose first segment is not the id of an object. */
const roots: ReadonlySet<string> = new Set(["media-files", "oauth", "debug_token", "message_template_library", "app"])

/** The provider's own interface. */
export const makeGraphApi = ({
  client,
  events,
  files,
  life,
  options,
  script,
  simulation,
  timeline,
  world
}: GraphParts) => {
  const access = makeAccess(world, timeline)
  const scripted = makeScripted(script)
  const health = makeHealth(world, timeline)
  const numbers = makeNumbers(world, timeline, health)
  const verification = makeVerification(world, client)
  const registration = makeRegistration(world, timeline, events, access, scripted)
  const accounts = makeAccounts(world, timeline, access, scripted, health, numbers, verification)
  const signup = makeSignup(world, timeline, access, scripted, verification)
  const uploads = makeUploads(world, access, scripted)
  const media = makeMedia(world, timeline, files, access, scripted)
  const templates = makeTemplates(world, timeline, life, access, scripted, health, uploads, options)
  const settings = makeSettings(world, timeline, events, access, scripted, uploads)
  const messages = makeMessages(world, timeline, simulation, script, access, scripted)
  const flows = makeFlows(world, access, scripted)
  const groups = makeGroupCalls(world, simulation, access, scripted)
  const nodes = makeNodes({
    flows,
    groups,
    world,
    access,
    scripted,
    numbers,
    registration,
    accounts,
    templates,
    media,
    uploads,
    verification
  })

  /** By method and edge. */
  const routes: Readonly<Record<string, Handler>> = {
    "GET media-files": media.download,
    "GET oauth": signup.exchange,
    "GET debug_token": signup.debugToken,
    "GET app": signup.app,
    "GET message_template_library": templates.library,
    "GET ": nodes.read,
    "POST ": nodes.update,
    "DELETE ": nodes.remove,
    "POST messages": messages.send,
    "POST marketing_messages": messages.sendMarketing,
    "POST smb_app_data": messages.synchronize,
    "GET groups": groups.list,
    "POST groups": groups.create,
    "GET invite_link": groups.inviteLink,
    "POST invite_link": groups.resetInviteLink,
    "GET join_requests": groups.joinRequests,
    "POST join_requests": groups.approveJoinRequests,
    "DELETE join_requests": groups.rejectJoinRequests,
    "DELETE participants": groups.removeParticipants,
    "GET flows": flows.list,
    "POST flows": flows.create,
    "POST assets": flows.saveAsset,
    "POST publish": flows.publish,
    "POST deprecate": flows.deprecate,
    "POST calls": messages.call,
    "GET call_permissions": messages.callPermissions,
    "POST media": media.upload,
    "POST uploads": uploads.start,
    "POST subscriptions": signup.subscribeApp,
    "POST register": registration.register,
    "POST deregister": registration.deregister,
    "POST request_code": registration.requestCode,
    "POST verify_code": registration.verifyCode,
    "GET phone_numbers": accounts.listNumbers,
    "POST phone_numbers": accounts.addNumber,
    "GET client_whatsapp_business_accounts": accounts.ofBusiness,
    "GET owned_whatsapp_business_accounts": accounts.ofBusiness,
    "GET subscribed_apps": accounts.subscriptions,
    "POST subscribed_apps": accounts.subscribe,
    "DELETE subscribed_apps": accounts.unsubscribe,
    "GET message_templates": templates.list,
    "POST message_templates": templates.submit,
    "DELETE message_templates": templates.remove,
    "POST message_templates/archive": templates.archive,
    "POST message_templates/unarchive": templates.archive,
    "POST upsert_message_templates": templates.upsert,
    "GET message_template_previews": templates.previews,
    "POST migrate_message_templates": templates.migrate,
    "GET template_analytics": templates.analytics,
    "POST unpause": templates.unpause,
    "GET compare": templates.compare,
    "GET whatsapp_business_profile": settings.readProfile,
    "POST whatsapp_business_profile": settings.updateProfile,
    "GET block_users": settings.blocked,
    "POST block_users": settings.block,
    "DELETE block_users": settings.unblock,
    "GET settings": settings.read,
    "POST settings": settings.update,
    "GET whatsapp_commerce_settings": settings.readCommerce,
    "POST whatsapp_commerce_settings": settings.updateCommerce,
    "GET message_qrdls": settings.qrCodes,
    "POST message_qrdls": settings.saveQrCode,
    "DELETE message_qrdls": settings.removeQrCode,
    "POST conversational_automation": settings.automate,
    "GET username": settings.username,
    "POST username": settings.saveUsername,
    "DELETE username": settings.removeUsername,
    "GET username_suggestions": settings.suggestUsernames,
    "GET whatsapp_business_encryption": settings.readKey,
    "POST whatsapp_business_encryption": settings.saveKey
  }

  const routeOf = ({ edge, id, request, sub }: Call): Handler | undefined => {
    const name = roots.has(id) ? id : edge
    const whole = `${request.method} ${name}/${sub}`
    if (Object.hasOwn(routes, whole)) return routes[whole]
    const short = `${request.method} ${name}`
    const allowsSub = sub === "" || edge === "message_qrdls"
    return allowsSub && Object.hasOwn(routes, short) ? routes[short] : undefined
  }

  const answered = (handler: Handler, call: Call): Effect.Effect<Response> =>
    Effect.catchDefect(
      Effect.suspend(() => handler(call)),
      (defect) => (defect instanceof Refused ? Effect.succeed(answerOf(defect.refusal)) : Effect.die(defect))
    )

  return (request: Request, address: URL): Effect.Effect<Response> =>
    Effect.suspend(() => {
      const [, version = "", path = ""] = /^\/(v\d+\.\d+(?=\/))?\/?(.*)$/u.exec(address.pathname) ?? []
      const [id = "", edge = "", sub = "", ...more] = path.split("/").map(decodeURIComponent)
      const call: Call = { request, id, edge, sub, query: address.searchParams, origin: address.origin, version }
      const handler = more.length > 0 ? undefined : routeOf(call)
      const known = handler ?? (() => unknownObject(id, request.method))
      return withUsage(world, timeline.now, call, answered(known, call))
    })
}
