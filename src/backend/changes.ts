import type { KeyAuthenticator, KeyChanges } from '../access/authenticate-key.ts'
import type { LoadedFaults } from '../bank/faults/active-faults.ts'
import type { Peers } from '../base/peers/peers.ts'

/** Changes that all processes behind the port know of before the request that made them is answered. */
export function changesEverywhere(
  peers: Peers | undefined,
  keys: KeyAuthenticator,
  active: LoadedFaults | undefined,
): KeyChanges & Pick<LoadedFaults, 'load'> {
  peers?.answer('keys.forget', keys.forget)
  peers?.answer('keys.forgetOrganisation', keys.forgetOrganisation)
  peers?.answer('faults.load', (organisationId: number) => active?.load(organisationId))
  return {
    forget: async (keyId) => {
      keys.forget(keyId)
      await peers?.ask('keys.forget', keyId)
    },
    forgetOrganisation: async (organisationId) => {
      keys.forgetOrganisation(organisationId)
      await peers?.ask('keys.forgetOrganisation', organisationId)
    },
    load: async (organisationId) => {
      await Promise.all([active?.load(organisationId), peers?.ask('faults.load', organisationId)])
    },
  }
}
