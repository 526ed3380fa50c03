export * as ParleyClient from "./ParleyClient.ts"
