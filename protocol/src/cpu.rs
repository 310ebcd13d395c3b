//! Checks that the processor has the instruction sets that the program was compiled for, so that an
//! old one gives an error message instead of an illegal instruction.

/// Exits with status 1 and a message on stderr if the program was compiled for x86-64-v3 (see
/// `.cargo/config.toml`) and the processor lacks a part of it. Programs must call it first.
#[inline(never)]
pub fn require() {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    if let Some(part) = missing() {
        eprintln!(
            "this program was built for x86-64 processors from 2013 on, and this one lacks {part}; build it \
             with RUSTFLAGS='-C target-cpu=x86-64' for this machine"
        );
        std::process::exit(1);
    }
}

/// The first instruction set of x86-64-v3 that the processor lacks.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
fn missing() -> Option<&'static str> {
    let cpu = raw_cpuid::CpuId::new();
    let base = cpu.get_feature_info();
    let later = cpu.get_extended_feature_info();
    let more = cpu.get_extended_processor_and_feature_identifiers();
    let base = |has: fn(&raw_cpuid::FeatureInfo) -> bool| base.as_ref().is_some_and(has);
    let later = |has: fn(&raw_cpuid::ExtendedFeatures) -> bool| later.as_ref().is_some_and(has);
    let parts = [
        ("SSE4.2", base(|c| c.has_sse42())),
        ("POPCNT", base(|c| c.has_popcnt())),
        ("AVX", base(|c| c.has_avx() && c.has_oxsave())),
        ("F16C", base(|c| c.has_f16c())),
        ("FMA", base(|c| c.has_fma())),
        ("MOVBE", base(|c| c.has_movbe())),
        ("BMI1", later(|c| c.has_bmi1())),
        ("AVX2", later(|c| c.has_avx2())),
        ("BMI2", later(|c| c.has_bmi2())),
        ("LZCNT", more.is_some_and(|c| c.has_lzcnt())),
    ];
    parts.into_iter().find(|(_, has)| !has).map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    fn a_processor_that_runs_this_test_lacks_nothing() {
        assert_eq!(super::missing(), None);
        super::require();
    }
}
