import {
  context,
  type ProxyTracerProvider,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

const NAME = 'purser'
const tracer = trace.getTracer(NAME)

/** Whether somebody listens: an OpenTelemetry SDK, which registers itself before the service starts. */
export function isTraced(): boolean {
  const provider = trace.getTracerProvider() as Partial<ProxyTracerProvider>
  return provider.getDelegateTracer === undefined || provider.getDelegateTracer(NAME) !== undefined
}

interface InSpanOptions extends SpanOptions {
  /** The span it belongs to; the current one unless said. */
  parent?: ReturnType<typeof context.active>
  /** Whether what was thrown is a failure of this work; everything is, unless said. */
  isFailure?: (error: unknown) => boolean
}

/** Does some work in a span that ends with it; spans that are made meanwhile belong to it. Nearly free if nobody listens. */
export function inSpan<T>(
  name: string,
  { parent = context.active(), isFailure = () => true, ...options }: InSpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return tracer.startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      if (isFailure(error)) {
        span.recordException(error as Error)
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      throw error
    } finally {
      span.end()
    }
  })
}
