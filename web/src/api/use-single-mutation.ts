import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query'
import { useRef } from 'react'

/**
 * A mutation that runs once at a time. `isPending` is only known after the next drawing: on a slow phone the second half of a
 * double click comes before it.
 */
export function useSingleMutation<Data, Variables = void, Before = unknown>(
  options: UseMutationOptions<Data, Error, Variables, Before>,
): UseMutationResult<Data, Error, Variables, Before> {
  const isRunning = useRef(false)
  const mutation = useMutation({
    ...options,
    onSettled: (...settled) => {
      isRunning.current = false
      return options.onSettled?.(...settled)
    },
  })
  const { mutate } = mutation
  return {
    ...mutation,
    mutate: (...given) => {
      if (isRunning.current) return
      isRunning.current = true
      mutate(...given)
    },
  }
}
